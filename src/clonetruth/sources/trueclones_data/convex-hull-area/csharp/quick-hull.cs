public int TwiceHullArea(List<List<int>> points)
{
    if (points.Count < 3) return 0;
    var left = points.OrderBy(p => p[0]).ThenBy(p => p[1]).First();
    var right = points.OrderBy(p => p[0]).ThenBy(p => p[1]).Last();
    return Beyond(points, left, right) + Beyond(points, right, left);
}

// Twice the area between the line from a to b and the hull on its left.
private int Beyond(List<List<int>> points, List<int> a, List<int> b)
{
    var outside = points.Where(p => Height(a, b, p) > 0).ToList();
    if (outside.Count == 0) return 0;
    var top = outside.OrderByDescending(p => Height(a, b, p)).First();
    return Height(a, b, top) + Beyond(outside, a, top) + Beyond(outside, top, b);
}

private int Height(List<int> a, List<int> b, List<int> p)
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}
