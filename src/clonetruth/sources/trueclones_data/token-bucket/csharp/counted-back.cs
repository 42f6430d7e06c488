// A refill counts only if the bucket is not full, so the level is found by looking at all steps in between.
public List<int> Answers(int capacity, int interval, List<int> times)
{
    var answers = new List<int>();
    var taken = new List<int>();
    foreach (int time in times)
    {
        int level = capacity, done = 0;
        for (int refill = 0; refill <= time / interval; refill++)
        {
            if (refill > 0) level = Math.Min(capacity, level + 1);
            while (done < taken.Count && taken[done] == refill) { level--; done++; }
        }
        if (level > 0) taken.Add(time / interval);
        answers.Add(level - 1);
    }
    return answers;
}
