static int[] Order(int[][] successors)
{
    var blockers = new int[successors.Length];
    foreach (int next in successors.SelectMany(list => list)) blockers[next]++;
    var free = new SortedSet<int>(Enumerable.Range(0, successors.Length).Where(node => blockers[node] == 0));
    var order = new List<int>();
    while (free.Count > 0)
    {
        int node = free.Min;
        free.Remove(node);
        order.Add(node);
        foreach (int next in successors[node])
        {
            if (--blockers[next] == 0) free.Add(next);
        }
    }
    return order.Count == successors.Length ? order.ToArray() : new int[0];
}
