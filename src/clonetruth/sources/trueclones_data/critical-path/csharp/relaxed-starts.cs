public int Length(List<int> durations, List<List<int>> before)
{
    int n = before.Count;
    var start = new int[n];
    // longest ways, as often as a way without a cycle can be long
    for (int round = 0; round <= n; round++)
        for (int task = 0; task < n; task++)
            foreach (int one in before[task])
                start[task] = Math.Max(start[task], Blocked(one, before, n) ? 1000 : start[one] + durations[one]);
    return Enumerable.Range(0, n).Where(task => !Blocked(task, before, n)).Select(task => start[task] + durations[task]).DefaultIfEmpty(0).Max();
}

// A task that can be traced back further than there are tasks hangs on a cycle.
private static bool Blocked(int task, List<List<int>> before, int steps)
{
    return steps == 0 || before[task].Any(one => Blocked(one, before, steps - 1));
}
