// An edge belongs to the hull if all points are on its left; only the outermost points of a line count.
static int Area(int[][] points)
{
    var distinct = points.GroupBy(p => (p[0], p[1])).Select(g => g.Key).ToList();
    int sum = 0;
    foreach (var a in distinct)
    {
        foreach (var b in distinct)
        {
            if (a.Equals(b)) continue;
            bool isEdge = distinct.All(c => Side(a, b, c) > 0 || Side(a, b, c) == 0 && Between(a, b, c));
            if (isEdge) sum += a.Item1 * b.Item2 - a.Item2 * b.Item1;
        }
    }
    return sum;
}

static int Side((int, int) a, (int, int) b, (int, int) c)
{
    return (b.Item1 - a.Item1) * (c.Item2 - a.Item2) - (b.Item2 - a.Item2) * (c.Item1 - a.Item1);
}

static bool Between((int, int) a, (int, int) b, (int, int) c)
{
    return (c.Item1 - a.Item1) * (c.Item1 - b.Item1) <= 0 && (c.Item2 - a.Item2) * (c.Item2 - b.Item2) <= 0;
}
