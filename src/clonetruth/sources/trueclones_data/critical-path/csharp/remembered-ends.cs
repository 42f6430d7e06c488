static int LastEnd(int[] durations, int[][] before)
{
    var ends = new int?[before.Length];
    var asked = new bool[before.Length];
    int latest = 0;
    for (int task = 0; task < before.Length; task++)
        latest = Math.Max(latest, End(task, durations, before, ends, asked) ?? 0);
    return latest;
}

// null if the task never begins
static int? End(int task, int[] durations, int[][] before, int?[] ends, bool[] asked)
{
    if (asked[task]) return ends[task];
    asked[task] = true;
    int begin = 0;
    foreach (int one in before[task])
    {
        int? end = End(one, durations, before, ends, asked);
        if (end == null) return null;
        begin = Math.Max(begin, end.Value);
    }
    ends[task] = begin + durations[task];
    return ends[task];
}
