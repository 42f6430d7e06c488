public int Steps(string[] rows)
{
    int w = rows[0].Length, count = w * rows.Length;
    Func<int, char> at = i => i % w < rows[i / w].Length ? rows[i / w][i % w] : '#';
    var free = Enumerable.Range(0, count).Where(i => at(i) != '#').ToList();
    var near = free.ToDictionary(i => i, i => free.Where(j => Joined(i, j, w) || at(i) != '.' && at(i) == at(j)).ToList());
    var steps = new Dictionary<int, int>();
    var queue = new Queue<int>();
    if (near.ContainsKey(0))
    {
        steps[0] = 0;
        queue.Enqueue(0);
    }
    while (queue.Count > 0)
    {
        int here = queue.Dequeue();
        foreach (int next in near[here].Where(n => !steps.ContainsKey(n)).ToList())
        {
            steps[next] = steps[here] + 1;
            queue.Enqueue(next);
        }
    }
    return steps.ContainsKey(count - 1) ? steps[count - 1] : -1;
}

private static bool Joined(int i, int j, int w)
{
    if (Math.Abs(i - j) == w) return true;
    return Math.Abs(i - j) == 1 && i / w == j / w;
}
