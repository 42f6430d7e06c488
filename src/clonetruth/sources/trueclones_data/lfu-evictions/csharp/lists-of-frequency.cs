static int[] Evicted(int capacity, int[] requests)
{
    // level n has the keys with n uses, the one that waits longest first
    var levels = new List<List<int>>();
    for (int i = 0; i <= requests.Length; i++) levels.Add(new List<int>());
    var result = new List<int>();
    foreach (int key in requests)
    {
        int level = levels.FindIndex(keys => keys.Contains(key));
        if (level < 0 && levels.Sum(keys => keys.Count) == capacity)
        {
            var lowest = levels.Find(keys => keys.Count > 0);
            result.Add(lowest[0]);
            lowest.RemoveAt(0);
        }
        if (level >= 0)
            levels[level].Remove(key);
        levels[Math.Max(level, 0) + 1].Add(key);
    }
    return result.ToArray();
}
