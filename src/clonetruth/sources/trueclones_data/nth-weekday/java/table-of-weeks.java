int lookup(int year, int month, int weekday, int n) {
    int[] lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (Year.isLeap(year)) lengths[1]++;
    // 1 January 1900 was a Monday
    int days = (year - 1900) * 365;
    for (int y = 1900; y < year; y++) if (y % 4 == 0 && y != 1900) days++;
    for (int m = 1; m < month; m++) days += lengths[m - 1];
    List<Integer> found = new ArrayList<>();
    for (int d = 1; d <= lengths[month - 1]; d++) {
        if ((days + d - 1) % 7 == weekday) found.add(d);
    }
    int index = n < 0 ? found.size() + n : n - 1;
    return index < 0 || index >= found.size() ? 0 : found.get(index);
}
