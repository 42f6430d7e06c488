public List<int> Out(int capacity, List<int> requests)
{
    var cache = new Dictionary<int, Entry>();
    var left = new List<int>();
    int time = 0;
    foreach (int key in requests)
    {
        time++;
        Entry entry;
        if (cache.TryGetValue(key, out entry))
        {
            entry.Uses++;
            entry.Time = time;
            continue;
        }
        if (cache.Count >= capacity)
        {
            Entry worst = null;
            foreach (Entry one in cache.Values)
                if (worst == null || one.Uses < worst.Uses || one.Uses == worst.Uses && one.Time < worst.Time)
                    worst = one;
            left.Add(worst.Key);
            cache.Remove(worst.Key);
        }
        cache.Add(key, new Entry { Key = key, Uses = 1, Time = time });
    }
    return left;
}

class Entry
{
    public int Key, Uses, Time;
}
