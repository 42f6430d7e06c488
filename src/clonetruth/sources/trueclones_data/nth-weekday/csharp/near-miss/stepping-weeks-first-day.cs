static int DayOfMonth(int year, int month, int weekday, int n)
{
    int length = DateTime.DaysInMonth(year, month);
    int step = Math.Sign(n);
    if (step == 0) return 0;
    int day = step > 0 ? 1 : length;
    // (weekday + 1) % 7 is the number that .NET gives the weekday
    while ((int)new DateTime(year, month, day).DayOfWeek != (weekday + 1) % 7)
        day += step;
    day += 7 * (n - step);
    return day > 1 - Math.Max(step, 0) && day <= length ? day : 0;
}
