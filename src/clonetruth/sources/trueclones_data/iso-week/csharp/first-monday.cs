public int IsoWeek(int year, int month, int day)
{
    var date = new DateTime(year, month, day);
    // try the years in which the week can lie, the latest first
    for (int y = year + 1; ; y--)
    {
        DateTime start = WeekOne(y);
        if (date >= start)
            return (date - start).Days / 7 + 1;
    }
}

// The Monday of the week with 4 January.
private static DateTime WeekOne(int year)
{
    var fourth = new DateTime(year, 1, 4);
    while (fourth.DayOfWeek != DayOfWeek.Monday)
        fourth = fourth.AddDays(-1);
    return fourth;
}
