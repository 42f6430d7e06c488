static List<int[]> Gaps(List<int[]> busy, int length)
{
    var gaps = new List<int[]>();
    int free = 0;
    foreach (int[] time in busy.Where(t => t[0] < t[1]).OrderBy(t => t[0]))
    {
        if (time[0] - free >= length)
            gaps.Add(new[] { free, time[0] });
        free = time[1];
    }
    if (24 - free >= length)
        gaps.Add(new[] { free, 24 });
    return gaps;
}
