static int DoubleArea(int[][] points)
{
    var sorted = points.OrderBy(p => p[0]).ThenBy(p => p[1]).ToList();
    var hull = Chain(sorted);
    sorted.Reverse();
    hull.AddRange(Chain(sorted));
    int twice = 0;
    for (int i = 0; i < hull.Count; i++)
    {
        int[] a = hull[i], b = hull[(i + 1) % hull.Count];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return twice;
}

static List<int[]> Chain(List<int[]> points)
{
    var chain = new List<int[]>();
    foreach (int[] p in points)
    {
        if (chain.Count > 1 && Turn(chain[chain.Count - 2], chain[chain.Count - 1], p) <= 0)
            chain.RemoveAt(chain.Count - 1);
        chain.Add(p);
    }
    return chain;
}

static int Turn(int[] a, int[] b, int[] c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
