public int Find(int year, int month, int weekday, int n)
{
    if (n == 0) return 0;
    var edge = new DateTime(year, month, 1);
    if (n < 0) edge = edge.AddMonths(1).AddDays(-1);
    int own = edge.DayOfWeek == DayOfWeek.Sunday ? 6 : (int)edge.DayOfWeek - 1;
    int away = n > 0 ? (weekday - own + 7) % 7 : (own - weekday + 7) % 7;
    var day = n > 0 ? edge.AddDays(away + 7 * (n - 1)) : edge.AddDays(-away + 7 * (n + 1));
    return day.Month == month ? day.Day : 0;
}
