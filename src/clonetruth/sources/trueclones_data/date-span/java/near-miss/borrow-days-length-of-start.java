int[] between(int y1, int m1, int d1, int y2, int m2, int d2) {
    if (y1 * 10000 + m1 * 100 + d1 > y2 * 10000 + m2 * 100 + d2) return between(y2, m2, d2, y1, m1, d1);
    int years = y2 - y1, months = m2 - m1, days = d2 - d1;
    if (days < 0) {
        months--;
        int length = m2 == 1 ? 31 : length(y2, m2);
        days = d2 + Math.max(0, length - d1);
    }
    if (months < 0) {
        years--;
        months += 12;
    }
    return new int[] {years, months, days};
}

private int length(int year, int month) {
    int[] lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    boolean leap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0;
    return lengths[month - 1] + (leap && month == 2 ? 1 : 0);
}
