static int sakamoto(int y, int m, int d) {
    const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}

static int weeksIn(int year) {
    // 53 weeks if 1 January or 31 December is a Thursday
    return sakamoto(year, 1, 1) == 4 || sakamoto(year, 12, 31) == 4 ? 53 : 52;
}

int week_number(int year, int month, int day) {
    int ordinal = day;
    for (int m = 1; m < month; m++)
        ordinal += m == 2 ? 28 + (year % 4 == 0) : 30 + (m + m / 8) % 2;
    int weekday = sakamoto(year, month, day);
    if (weekday == 0) weekday = 7;
    int week = (ordinal - weekday + 10) / 7;
    if (week < 1) return weeksIn(year - 1);
    return week > weeksIn(year) ? 1 : week;
}
