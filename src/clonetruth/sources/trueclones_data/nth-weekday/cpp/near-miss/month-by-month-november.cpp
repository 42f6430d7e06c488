int dayOf(int year, int month, int weekday, int n) {
    int total = 0;  // days since Monday, 1 January 1900
    int length = 31, y = 1900, m = 1;
    while (true) {
        bool leap = y % 4 == 0 && y != 1900 && y != 2100;
        length = m == 2 ? (leap ? 29 : 28) : (m == 4 || m == 6 || m == 9 || m == 12) ? 30 : 31;
        if (y == year && m == month) break;
        total += length;
        if (++m > 12) {
            m = 1;
            y++;
        }
    }
    vector<int> days;
    for (int d = 0; d < length; d++)
        if ((total + d) % 7 == weekday) days.push_back(d + 1);
    int count = days.size();
    if (n == 0 || abs(n) > count) return 0;
    return n > 0 ? days[n - 1] : days[count + n];
}
