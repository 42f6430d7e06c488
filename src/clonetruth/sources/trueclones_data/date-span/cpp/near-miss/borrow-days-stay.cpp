static int lengthOf(int year, int month) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : lengths[month - 1];
}

std::vector<int> span(int y1, int m1, int d1, int y2, int m2, int d2) {
    if (std::tie(y2, m2, d2) < std::tie(y1, m1, d1)) {
        std::swap(y1, y2);
        std::swap(m1, m2);
    }
    int months = (y2 - y1) * 12 + m2 - m1, days = d2 - d1;
    if (days < 0) {
        months--;
        int before = m2 == 1 ? 31 : lengthOf(y2, m2 - 1);
        days = d2 + (d1 < before ? before - d1 : 0);
    }
    return {months / 12, months % 12, days};
}
