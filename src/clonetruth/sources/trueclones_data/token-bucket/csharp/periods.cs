public int[] Handle(int capacity, int interval, int[] times)
{
    var left = new int[times.Length];
    int period = 0, level = capacity, i = 0;
    foreach (int time in times)
    {
        int passed = time / interval - period;
        period += passed;
        level += passed;
        if (level > capacity) level = capacity;
        level--;
        left[i++] = level;
        // a request that is refused takes nothing
        if (level < 0) level = 0;
    }
    return left;
}
