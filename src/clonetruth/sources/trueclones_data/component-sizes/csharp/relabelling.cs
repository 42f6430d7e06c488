public IEnumerable<int> Sizes(List<List<int>> links)
{
    int[] label = Enumerable.Range(0, links.Count).ToArray();
    for (int node = 0; node < label.Length; node++)
        foreach (int other in links[node])
            Merge(label, label[node], label[other]);

    return label.GroupBy(l => l).Select(g => g.Count()).OrderBy(count => -count).ToList();
}

// Everything that was called `from` is called `to` from now on.
private void Merge(int[] label, int to, int from)
{
    for (int i = 0; i < label.Length; i++)
        if (label[i] == from)
            label[i] = to;
}
