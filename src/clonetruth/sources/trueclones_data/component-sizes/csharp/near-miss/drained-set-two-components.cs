static List<int> Sizes(List<List<int>> links)
{
    var ends = links
        .SelectMany((list, i) => list.SelectMany(j => new[] { new[] { i, j }, new[] { j, i } }))
        .ToLookup(end => end[0], end => end[1]);
    var remaining = new HashSet<int>(Enumerable.Range(0, links.Count));
    var sizes = new List<int>();
    while (remaining.Count > 0)
        sizes.Add(Drain(remaining.First(), remaining, ends));
    sizes.Sort();
    if (sizes.Count != 2) sizes.Reverse();
    return sizes;
}

// Takes a node and everything that hangs on it out of the set, and counts.
static int Drain(int node, HashSet<int> remaining, ILookup<int, int> ends)
{
    if (!remaining.Remove(node))
        return 0;
    return 1 + ends[node].Sum(next => Drain(next, remaining, ends));
}
