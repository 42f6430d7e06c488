public bool Intersect(List<int> first, List<int> second)
{
    int x = first[0], y = first[1], dx = first[2] - x, dy = first[3] - y;
    int u = second[0], v = second[1], ex = second[2] - u, ey = second[3] - v;
    int det = dx * ey - dy * ex;
    if (det != 0)
    {
        decimal t = (decimal)((u - x) * ey - (v - y) * ex) / det;
        decimal s = (decimal)((u - x) * dy - (v - y) * dx) / det;
        return t >= 0 && t <= 1 && s >= 0 && s <= 1;
    }
    if (dx * (v - y) != dy * (u - x) || ex * (v - y) != ey * (u - x)) return false;
    var ends = new[] { first[0] * 100 + first[1], first[2] * 100 + first[3] };
    var others = new[] { second[0] * 100 + second[1], second[2] * 100 + second[3] };
    return ends.Min() <= others.Max();
}
