static List<int> Sorted(List<List<int>> successors)
{
    var counts = new int[successors.Count];
    foreach (var list in successors)
        list.ForEach(node => counts[node]++);
    var order = new List<int>();
    for (int taken = 0; taken < counts.Length; taken++)
    {
        int node = Array.IndexOf(counts, 0);
        if (node < 0)
            return new List<int>();
        counts[node] = -1;
        order.Add(node);
        successors[node].ForEach(next => counts[next]--);
    }
    return order;
}
