// Cuts the triangle at the height of the point, and looks where the point is between the ends of the cut.
public int Locate(int[][] corners, int x, int y)
{
    var cuts = new List<decimal>();
    bool flat = false;
    for (int i = 0; i < 3; i++)
    {
        int[] a = corners[i], b = corners[(i + 1) % 3];
        if (a[1] == y && b[1] == y)
        {
            if (Math.Min(a[0], b[0]) <= x && x <= Math.Max(a[0], b[0])) return 0;
            flat = true;
        }
        else if ((a[1] - y) * (b[1] - y) <= 0)
        {
            cuts.Add(a[0] + (decimal)(b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
        }
    }
    if (cuts.Any(cut => Math.Abs(cut - x) < 0.000001m)) return 0;
    return !flat && cuts.Count > 0 && cuts.Min() < x && x < cuts.Max() ? 1 : -1;
}
