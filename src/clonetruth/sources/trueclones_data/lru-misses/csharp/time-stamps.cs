static int Missed(int capacity, int[] requests)
{
    var used = new Dictionary<int, int>();
    int missed = 0;
    for (int now = 0; now < requests.Length; now++)
    {
        int key = requests[now];
        if (!used.ContainsKey(key))
        {
            missed++;
            if (capacity == 0) continue;
            if (used.Count == capacity)
                used.Remove(used.OrderBy(entry => entry.Value).First().Key);
        }
        used[key] = now;
    }
    return missed;
}
