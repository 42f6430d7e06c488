static const int BEFORE[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static bool leap(int y) {
    return y % 400 == 0 || (y % 4 == 0 && y % 100 != 0);
}

static int length(int y, int m) {
    return BEFORE[m] - BEFORE[m - 1] + (m == 2 && leap(y));
}

vector<int> interval(int y1, int m1, int d1, int y2, int m2, int d2) {
    if (y1 * 500 + m1 * 40 + d1 > y2 * 500 + m2 * 40 + d2) return interval(y2, m2, d2, y1, m1, d1);
    int years = y2 - y1, months = m2 - m1;
    bool early = d2 < d1;
    if (early) months--;
    if (months < 0) months += 12, years--;
    if (!early) return {years, months, d2 - d1};
    // the month before the later date is the one that is counted from
    int month = m2 == 1 ? 12 : m2 - 1;
    int size = length(m2 == 1 ? y2 - 1 : y2, month);
    return {years, months, max(size - d1, 0) + d2};
}
