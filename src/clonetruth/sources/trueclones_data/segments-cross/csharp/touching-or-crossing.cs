static bool Cross(List<int> first, List<int> second)
{
    var ends = new[] { first, second }.SelectMany(s => new[] { Tuple.Create(s[0], s[1]), Tuple.Create(s[2], s[3]) }).ToArray();
    int toC = Side(ends[0], ends[1], ends[2]), toD = Side(ends[0], ends[1], ends[3]);
    int toA = Side(ends[2], ends[3], ends[0]), toB = Side(ends[2], ends[3], ends[1]);
    if (toC * toD < 0 && toA * toB < 0)
        return true;
    return toC == 0 && Within(ends[0], ends[1], ends[2]) || toD == 0 && Within(ends[0], ends[1], ends[3])
        || toA == 0 && Within(ends[2], ends[3], ends[0]) || toB == 0 && Within(ends[2], ends[3], ends[1]);
}

static int Side(Tuple<int, int> a, Tuple<int, int> b, Tuple<int, int> p)
{
    return Math.Sign((b.Item1 - a.Item1) * (p.Item2 - a.Item2) - (b.Item2 - a.Item2) * (p.Item1 - a.Item1));
}

static bool Within(Tuple<int, int> a, Tuple<int, int> b, Tuple<int, int> p)
{
    return p.Item1 >= Math.Min(a.Item1, b.Item1) && p.Item1 <= Math.Max(a.Item1, b.Item1)
        && p.Item2 >= Math.Min(a.Item2, b.Item2) && p.Item2 <= Math.Max(a.Item2, b.Item2);
}
