public static int Span(int weekday, int workingDays)
{
    // 1 January 2024 was a Monday
    var start = new DateTime(2024, 1, 1).AddDays(weekday);
    var date = start;
    for (int left = workingDays; left > 0; left--)
    {
        date = date.AddDays(DaysToNext(date.DayOfWeek));
    }
    return (date - start).Days;
}

private static int DaysToNext(DayOfWeek day)
{
    switch (day)
    {
        case DayOfWeek.Friday: return 3;
        case DayOfWeek.Saturday: return 2;
        default: return 1;
    }
}
