static int[] EndTimes(int[] needs, int quantum)
{
    var ends = new int[needs.Length];
    var left = (int[])needs.Clone();
    var ring = new LinkedList<int>();
    for (int job = 0; job < left.Length; job++)
        if (left[job] != 0) ring.AddLast(job);

    int clock = 0;
    var node = ring.First;
    while (node != null)
    {
        int job = node.Value;
        int run = Math.Min(left[job], quantum);
        clock += run;
        left[job] -= run;
        var next = node.Next ?? ring.First;
        if (left[job] == 0)
        {
            ends[job] = clock;
            if (next == node) next = null;
            ring.Remove(node);
        }
        if (next != null && next.Value > job) clock++;
        node = next;
    }
    return ends;
}
