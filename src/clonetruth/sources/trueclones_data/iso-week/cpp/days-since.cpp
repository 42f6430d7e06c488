// Days since 1 January 1990, which was a Monday.
static int daysSince(int year, int month, int day) {
    int days = day - 1;
    for (int y = 1990; y < year; ++y) days += 365 + (y % 4 == 0);
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int m = 0; m + 1 < month; ++m) days += lengths[m] + (m == 1 && year % 4 == 0);
    return days;
}

int weekOf(int year, int month, int day) {
    const int week = daysSince(year, month, day) / 7;
    int number = 1;
    // weeks with a Thursday in the same year as this one
    const auto yearOf = [](int thursday) {
        int y = 1990;
        while (thursday >= 365 + (y % 4 == 0)) thursday -= 365 + (y++ % 4 == 0);
        return y;
    };
    const int own = yearOf(week * 7 + 3);
    while (week - number >= 0 && yearOf((week - number) * 7 + 3) == own) ++number;
    return number;
}
