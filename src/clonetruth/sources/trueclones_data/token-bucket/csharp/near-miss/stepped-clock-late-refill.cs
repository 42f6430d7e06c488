static List<int> Serve(int capacity, int interval, List<int> times)
{
    var answers = new List<int>();
    int tokens = capacity;
    for (int second = 0; second <= 60; second++)
    {
        if (second > interval && second % interval == 0)
            tokens = Math.Min(capacity, tokens + 1);
        foreach (int _ in times.Where(time => time == second))
            answers.Add(tokens == 0 ? -1 : --tokens);
    }
    return answers;
}
