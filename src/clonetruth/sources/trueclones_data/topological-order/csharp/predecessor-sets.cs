public int[] Arrange(int[][] successors)
{
    var before = Enumerable.Range(0, successors.Length).ToDictionary(n => n, n => new HashSet<int>());
    for (int n = 0; n < successors.Length; n++)
        foreach (int next in successors[n])
            before[next].Add(n);

    var order = new List<int>();
    while (before.Any(entry => entry.Value.Count == 0))
    {
        int node = before.Where(entry => entry.Value.Count == 0).Min(entry => entry.Key);
        before.Remove(node);
        foreach (var needs in before.Values) needs.Remove(node);
        order.Add(node);
    }
    return before.Count > 0 ? new int[0] : order.ToArray();
}
