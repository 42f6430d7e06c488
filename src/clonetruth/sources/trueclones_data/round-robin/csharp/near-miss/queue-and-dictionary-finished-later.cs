public int[] Finish(int[] needs, int quantum)
{
    var queue = new Queue<int>(Enumerable.Range(0, needs.Length).Where(j => needs[j] > 0));
    var left = queue.ToDictionary(j => j, j => needs[j]);
    var ends = new int[needs.Length];
    int time = 0, last = queue.Count > 0 ? queue.Peek() : 0;
    while (queue.Count > 0)
    {
        int job = queue.Dequeue();
        time += (job == last ? 0 : 1) + Math.Min(quantum, Math.Max(left[job], 0));
        last = job;
        left[job] -= quantum;
        if (left[job] >= 0) queue.Enqueue(job);
        else ends[job] = time;
    }
    return ends;
}
