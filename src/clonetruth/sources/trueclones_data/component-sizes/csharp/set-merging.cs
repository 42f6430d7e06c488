static int[] Components(List<List<int>> links)
{
    var groups = new List<HashSet<int>>();
    for (int i = 0; i < links.Count; i++)
    {
        var merged = new HashSet<int>(links[i]) { i };
        // all groups that share a node with the new one become part of it
        foreach (var group in groups.Where(g => g.Overlaps(merged)).ToList())
        {
            merged.UnionWith(group);
            groups.Remove(group);
        }
        groups.Add(merged);
    }
    var sizes = groups.Select(g => g.Count).ToArray();
    Array.Sort(sizes, (a, b) => b.CompareTo(a));
    return sizes;
}
