static int Covered(List<List<int>> rectangles)
{
    var cells = new HashSet<int>();
    foreach (var r in rectangles)
    {
        int left = Math.Min(r[0], r[2]), width = Math.Abs(r[0] - r[2]);
        int low = Math.Min(r[1], r[3]), height = Math.Abs(r[1] - r[3]);
        cells.UnionWith(Enumerable.Range(left, width).SelectMany(x => Enumerable.Range(low, height), (x, y) => 100 * x + y));
    }
    return cells.Count;
}
