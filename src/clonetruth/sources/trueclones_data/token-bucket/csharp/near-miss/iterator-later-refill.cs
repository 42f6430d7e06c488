static IEnumerable<int> Remaining(int capacity, int interval, IEnumerable<int> times)
{
    int tokens = capacity, nextRefill = interval;
    foreach (int time in times)
    {
        while (time > nextRefill)
        {
            nextRefill += interval;
            tokens = tokens == capacity ? tokens : tokens + 1;
        }
        if (tokens == 0)
        {
            yield return -1;
            continue;
        }
        yield return --tokens;
    }
}
