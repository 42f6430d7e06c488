static int Locate(int[][] corners, int x, int y)
{
    var point = new[] { x, y };
    int[] a = corners[0], b = corners[1], c = corners[2];
    int[] parts = { Area(a, b, point), Area(b, c, point), Area(c, a, point) };
    int whole = Area(a, b, c);
    if (whole == 0)
    {
        // Without an inside: is the point between the two corners that are farthest from each other?
        var line = corners.OrderBy(k => k[0]).ThenBy(k => k[1]).ToArray();
        bool within = Area(line[0], line[2], point) == 0
            && (x - line[0][0]) * (x - line[2][0]) <= 0
            && (y - line[0][1]) * (y - line[2][1]) <= 0;
        return within ? 0 : -1;
    }
    if (parts.Sum() != whole) return -1;
    return parts.Contains(0) ? 0 : 1;
}

// Twice the area, without orientation.
static int Area(int[] p, int[] q, int[] r)
{
    return Math.Abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
}
