// Two segments are apart if they are apart along one of four directions.
public bool Meet(int[] p, int[] q)
{
    var axes = new List<int[]> { new[] { 1, 0 }, new[] { 0, 1 }, Normal(p), Normal(q) };
    return !axes.Any(axis => Apart(Shadow(p, axis), Shadow(q, axis)));
}

private static int[] Normal(int[] s)
{
    return new[] { s[1] - s[3], s[2] - s[0] };
}

private static int[] Shadow(int[] s, int[] axis)
{
    var ends = new[] { s[0] * axis[0] + s[1] * axis[1], s[2] * axis[0] + s[3] * axis[1] };
    Array.Sort(ends);
    return ends;
}

private static bool Apart(int[] a, int[] b)
{
    return a[1] < b[0] || b[1] < a[0];
}
