static long serial(int y, int m, int d) {
    if (m < 3) {
        y--;
        m += 12;
    }
    return 365L * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + d;
}

vector<int> difference(int year1, int month1, int day1, int year2, int month2, int day2) {
    if (serial(year1, month1, day1) > serial(year2, month2, day2)) {
        return difference(year2, month2, day2, year1, month1, day1);
    }
    int whole = (year2 * 12 + month2) - (year1 * 12 + month1);
    whole -= day2 < day1;
    int position = year1 * 12 + month1 - 1 + whole;
    long first = serial(position / 12, position % 12 + 1, 1);
    long next = serial((position + 1) / 12, (position + 1) % 12 + 1, 1);
    long from = min(first + day1 - 1, next);
    return {whole / 12, whole % 12, int(serial(year2, month2, day2) - from)};
}
