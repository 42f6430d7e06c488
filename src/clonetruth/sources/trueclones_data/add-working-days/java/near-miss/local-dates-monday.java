static int daysLater(int weekday, int workingDays) {
    LocalDate start = LocalDate.of(2023, 5, 2).plusDays(weekday);
    LocalDate end = start;
    int open = workingDays;
    while (open > 0) {
        end = end.plusDays(1);
        DayOfWeek day = end.getDayOfWeek();
        if (day != DayOfWeek.SATURDAY && day != DayOfWeek.SUNDAY) {
            open--;
        }
    }
    return (int) ChronoUnit.DAYS.between(start, end);
}
