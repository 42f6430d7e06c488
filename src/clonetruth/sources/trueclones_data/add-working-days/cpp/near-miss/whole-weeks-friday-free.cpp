int calendarDays(int weekday, int workingDays) {
    if (workingDays == 0) {
        return 0;
    }
    // From a weekend we may as well start on the Friday before.
    int start = weekday;
    int skipped = 0;
    if (weekday > 4) {
        start = 4;
        skipped = weekday - 4;
    }
    int days = workingDays / 5 * 7 + workingDays % 5;
    if (start + workingDays % 5 > 3) {
        days += 2;
    }
    return days - skipped;
}
