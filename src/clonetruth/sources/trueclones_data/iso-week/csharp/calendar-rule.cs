static int WeekNumber(int year, int month, int day)
{
    var date = new DateTime(year, month, day);
    // the calendar's rule is wrong for Mondays to Wednesdays at the end of a year, so look at their Thursday
    if (date.DayOfWeek >= DayOfWeek.Monday && date.DayOfWeek <= DayOfWeek.Wednesday)
        date = date.AddDays(3);
    var calendar = CultureInfo.InvariantCulture.Calendar;
    return calendar.GetWeekOfYear(date, CalendarWeekRule.FirstFourDayWeek, DayOfWeek.Monday);
}
