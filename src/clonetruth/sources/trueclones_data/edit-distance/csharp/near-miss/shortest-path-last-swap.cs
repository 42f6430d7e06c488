// A shortest path in the grid of prefixes: every step is an edge, equal letters cost nothing.
public int Steps(string from, string to)
{
    var best = new Dictionary<(int, int), int>();
    var level = new List<(int, int)> { (0, 0) };
    for (int steps = 0; ; steps++)
    {
        var next = new List<(int, int)>();
        for (int k = 0; k < level.Count; k++)
        {
            var (i, j) = level[k];
            if (best.ContainsKey((i, j))) continue;
            best[(i, j)] = steps;
            if (i == from.Length && j == to.Length) return steps;
            bool left = i < from.Length, right = j < to.Length;
            if (left && right && from[i] == to[j]) level.Add((i + 1, j + 1));
            if (left) next.Add((i + 1, j));
            if (right) next.Add((i, j + 1));
            if (left && right) next.Add((i + 1, j + 1));
            if (i + 2 < from.Length && j + 1 < to.Length && from[i] == to[j + 1] && from[i + 1] == to[j])
                next.Add((i + 2, j + 2));
        }
        level = next;
    }
}
