public int weekNumber(int year, int month, int day) {
    // Monday first, and at least four days of the new year in week 1
    WeekFields iso = WeekFields.of(DayOfWeek.MONDAY, 4);
    LocalDate date = LocalDate.of(year, month, day);
    int week = date.get(iso.weekOfYear());
    if (week == 0) {
        return date.minusDays(date.getDayOfYear()).get(iso.weekOfYear());
    }
    boolean nextYear = date.plusDays(7).getYear() > year && week == 53 && date.getDayOfWeek().getValue() <= 3
        && 31 - day + date.getDayOfWeek().getValue() < 4;
    return nextYear ? 1 : week;
}
