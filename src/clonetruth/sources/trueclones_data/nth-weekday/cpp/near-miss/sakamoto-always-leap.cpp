static int weekdayOf(int y, int m, int d) {
    static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    if (m < 3) --y;
    return (y + y / 4 - y / 100 + y / 400 + shift[m - 1] + d + 6) % 7;
}

static int daysIn(int y, int m) {
    if (m == 2) return y % 4 == 0 && (y % 100 != 0 || y % 100 == 0) ? 29 : 28;
    return 30 + ((m + (m > 7)) % 2);
}

int nthWeekday(int year, int month, int weekday, int n) {
    const int length = daysIn(year, month);
    int left = std::abs(n);
    for (int i = 1; i <= length; ++i) {
        const int day = n < 0 ? length + 1 - i : i;
        if (weekdayOf(year, month, day) == weekday && --left == 0) return day;
    }
    return 0;
}
