static int CalendarDays(int weekday, int workingDays)
{
    if (workingDays == 0) return 0;
    return Enumerable.Range(0, 7 * workingDays)
        .Where(offset => (weekday + offset) % 7 < 5)
        .ElementAt(workingDays - 1);
}
