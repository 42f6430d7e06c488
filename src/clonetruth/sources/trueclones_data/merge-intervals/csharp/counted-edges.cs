public int[][] Compact(int[][] ranges)
{
    var change = new SortedDictionary<int, int>();
    foreach (var range in ranges)
    {
        Add(change, Math.Min(range[0], range[1]), 1);
        Add(change, Math.Max(range[0], range[1]) + 1, -1);
    }
    var result = new List<int[]>();
    int open = 0, begin = 0;
    foreach (var edge in change)
    {
        int before = open;
        open += edge.Value;
        if (before == 0 && open > 0) begin = edge.Key;
        if (before > 0 && open == 0) result.Add(new[] { begin, edge.Key - 1 });
    }
    return result.ToArray();
}

private static void Add(SortedDictionary<int, int> change, int at, int value)
{
    int now;
    change.TryGetValue(at, out now);
    change[at] = now + value;
}
