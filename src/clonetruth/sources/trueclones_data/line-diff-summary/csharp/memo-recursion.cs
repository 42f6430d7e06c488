static List<int> Summary(List<string> before, List<string> after)
{
    var memo = new Dictionary<string, int>();
    int same = Common(before, 0, after, 0, memo);
    return new List<int> { same, before.Count - same, after.Count - same };
}

static int Common(List<string> a, int i, List<string> b, int j, Dictionary<string, int> memo)
{
    if (i == a.Count || j == b.Count) return 0;
    string state = i + "/" + j;
    int known;
    if (memo.TryGetValue(state, out known)) return known;
    known = a[i] == b[j]
        ? 1 + Common(a, i + 1, b, j + 1, memo)
        : Math.Max(Common(a, i + 1, b, j, memo), Common(a, i, b, j + 1, memo));
    memo[state] = known;
    return known;
}
