public List<int> Times(List<int> needs, int quantum)
{
    var ends = needs.Select(_ => 0).ToArray();
    var waiting = Enumerable.Range(0, needs.Count).Where(job => needs[job] > 0).ToList();
    Turn(waiting, needs.ToArray(), quantum, 0, ends);
    return ends.ToList();
}

private void Turn(List<int> waiting, int[] left, int quantum, int clock, int[] ends)
{
    if (waiting.Count == 0) return;
    int job = waiting[0];
    var others = waiting.Skip(1).ToList();
    if (left[job] > quantum)
    {
        left[job] -= quantum;
        clock += quantum;
        others.Add(job);
    }
    else
    {
        ends[job] = clock += left[job];
    }
    int change = others.Count > 0 && others[0] != job ? 1 : 0;
    Turn(others, left, quantum, clock + change, ends);
}
