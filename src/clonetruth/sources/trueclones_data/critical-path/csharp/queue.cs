public int ProjectEnd(int[] durations, int[][] before)
{
    int n = before.Length, latest = 0;
    int[] begin = new int[n], missing = before.Select(tasks => tasks.Length).ToArray();
    var ready = new Queue<int>(Enumerable.Range(0, n).Where(t => missing[t] == 0));
    while (ready.Count > 0)
    {
        int task = ready.Dequeue(), end = begin[task] + durations[task];
        latest = Math.Max(latest, end);
        for (int other = 0; other < n; other++)
        {
            int times = before[other].Count(one => one == task);
            if (times == 0) continue;
            begin[other] = Math.Max(begin[other], end);
            missing[other] -= times;
            if (missing[other] == 0) ready.Enqueue(other);
        }
    }
    return latest;
}
