public int Area(List<List<int>> points)
{
    if (points.Count == 0) return 0;
    List<int> start = points[0];
    foreach (var p in points)
        if (p[1] < start[1] || p[1] == start[1] && p[0] < start[0]) start = p;
    int sum = 0;
    var at = start;
    for (int step = 0; step < points.Count; step++)
    {
        // the next point has all others on the left of the way to it, and is the farthest of those
        var next = at;
        foreach (var p in points)
        {
            int turn = (next[0] - at[0]) * (p[1] - at[1]) - (next[1] - at[1]) * (p[0] - at[0]);
            bool farther = Distance(at, p) > Distance(at, next);
            if (turn < 0 || turn == 0 && farther) next = p;
        }
        sum += at[0] * next[1] - next[0] * at[1];
        at = next;
        if (at[0] == start[0] && at[1] == start[1]) break;
    }
    return sum;
}

private static int Distance(List<int> a, List<int> b)
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}
