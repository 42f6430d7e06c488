static int nthWeekday(int year, int month, int weekday, int n) {
    int length = YearMonth.of(year, month).lengthOfMonth();
    int count = 0;
    for (int i = 0; i < length; i++) {
        int day = n > 0 ? i + 1 : length - i;
        if (LocalDate.of(year, month, day).getDayOfWeek().getValue() != weekday) continue;
        count++;
        if (count == Math.abs(n)) return day;
    }
    return 0;
}
