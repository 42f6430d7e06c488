static int[] Span(int year1, int month1, int day1, int year2, int month2, int day2)
{
    var dates = new List<DateTime> { new DateTime(year1, month1, day1), new DateTime(year2, month2, day2) };
    dates.Sort();
    DateTime start = dates[0], end = dates[1];
    int months = (end.Year - start.Year) * 12 + end.Month - start.Month;
    if (start.AddMonths(months) > end) months--;
    int days = (end - start.AddMonths(months)).Days;
    return new[] { months / 12, months % 12, days };
}
