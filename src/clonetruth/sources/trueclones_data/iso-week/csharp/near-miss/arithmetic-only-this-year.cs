static int IsoWeek(int year, int month, int day)
{
    int[] before = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    int ordinal = before[month - 1] + day;
    if (month > 2 && DateTime.IsLeapYear(year)) ordinal++;
    // weekday of 31 December of the year before; 0 is Sunday
    int last = LastWeekday(year - 1);
    int weekday = (last + ordinal + 6) % 7 + 1;
    int week = (ordinal - weekday + 10) / 7;
    if (week == 0) return Weeks(year);
    return week > Weeks(year) ? 1 : week;
}

static int LastWeekday(int year)
{
    return (year + year / 4 - year / 100 + year / 400) % 7;
}

static int Weeks(int year)
{
    return LastWeekday(year) == 4 || LastWeekday(year - 1) == 3 ? 53 : 52;
}
