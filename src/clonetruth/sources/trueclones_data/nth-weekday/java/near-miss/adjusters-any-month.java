int dayOf(int year, int month, int weekday, int n) {
    if (n == 0) return 0;
    LocalDate start = LocalDate.of(year, month, 1);
    LocalDate found = start.with(TemporalAdjusters.dayOfWeekInMonth(n, DayOfWeek.of(weekday + 1)));
    return found.getDayOfMonth();
}
