public int[] Difference(int y1, int m1, int d1, int y2, int m2, int d2)
{
    var dates = new[] { new DateTime(y1, m1, d1), new DateTime(y2, m2, d2) };
    Array.Sort(dates);
    int years = 0, months = 0;
    while (Whole(dates[0], dates[1], 12 * (years + 1))) years++;
    while (Whole(dates[0], dates[1], 12 * years + months + 1)) months++;
    var start = dates[0].AddMonths(12 * years + months);
    int days = 0;
    while (start.AddDays(days) < dates[1]) days++;
    return new[] { years, months, days };
}

// Whether so many months are between the dates; a shorter month does not move the day.
private static bool Whole(DateTime from, DateTime to, int months)
{
    int distance = (to.Year - from.Year) * 12 + to.Month - from.Month;
    return distance > months || distance == months && to.Day >= from.Day;
}
