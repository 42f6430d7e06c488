public int[] Leaves(int capacity, int[] requests)
{
    List<int> keys = new List<int>(), counts = new List<int>(), result = new List<int>();
    foreach (int key in requests)
    {
        int at = keys.IndexOf(key), count = 1;
        if (at >= 0) count = counts[at] + 1;
        else if (keys.Count == capacity)
        {
            at = counts.LastIndexOf(counts.Min());
            result.Add(keys[at]);
        }
        if (at >= 0)
        {
            keys.RemoveAt(at);
            counts.RemoveAt(at);
        }
        keys.Add(key);
        counts.Add(count);
    }
    return result.ToArray();
}
