static int Nth(int year, int month, int weekday, int n)
{
    var days = Enumerable.Range(1, DateTime.DaysInMonth(year, month))
        .Where(d => ((int)new DateTime(year, month, d).DayOfWeek + 6) % 7 == weekday);
    if (n == 0) return 0;
    return n > 0 ? days.Skip(n - 1).FirstOrDefault() : days.Reverse().Skip(-n - 1).FirstOrDefault();
}
