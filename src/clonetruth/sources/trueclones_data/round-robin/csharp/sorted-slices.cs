static List<int> Ends(List<int> needs, int quantum)
{
    // slices are sorted by round, then by job
    var slices = needs.SelectMany((need, job) => Enumerable.Range(0, (need + quantum - 1) / quantum)
            .Select(round => new { Round = round, Job = job, Units = Math.Min(quantum, need - round * quantum) }))
        .OrderBy(s => s.Round).ThenBy(s => s.Job).ToList();
    var ends = needs.Select(need => 0).ToList();
    int clock = 0;
    for (int i = 0; i < slices.Count; i++)
    {
        if (i > 0 && slices[i].Job != slices[i - 1].Job) clock++;
        clock += slices[i].Units;
        ends[slices[i].Job] = clock;
    }
    return ends;
}
