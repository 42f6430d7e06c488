static List<int> Evictions(int capacity, List<int> requests)
{
    var uses = new Dictionary<int, int>();
    var last = new Dictionary<int, int>();
    var gone = new List<int>();
    for (int i = 0; i < requests.Count; i++)
    {
        int key = requests[i];
        if (!uses.ContainsKey(key))
        {
            if (uses.Count == capacity)
            {
                int victim = uses.Keys.OrderBy(k => uses[k]).ThenBy(k => last[k]).Last();
                uses.Remove(victim);
                gone.Add(victim);
            }
            uses[key] = 0;
        }
        uses[key]++;
        last[key] = i;
    }
    return gone;
}
