static int Finish(List<int> durations, List<List<int>> before)
{
    var ends = new Dictionary<int, int>();
    bool changed = true;
    while (changed)
    {
        changed = false;
        for (int task = 0; task < before.Count; task++)
        {
            if (ends.ContainsKey(task) || before[task].Any() && !before[task].Any(ends.ContainsKey)) continue;
            ends[task] = before[task].Where(ends.ContainsKey).Select(one => ends[one]).DefaultIfEmpty(0).Max() + durations[task];
            changed = true;
        }
    }
    return ends.Values.DefaultIfEmpty(0).Max();
}
