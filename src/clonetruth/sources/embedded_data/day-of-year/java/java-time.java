int ordinalDay(int y, int m, int d) {
    LocalDate date = LocalDate.of(y, m, d);
    LocalDate newYear = date.withDayOfYear(1);
    return (int) ChronoUnit.DAYS.between(newYear, date) + 1;
}
