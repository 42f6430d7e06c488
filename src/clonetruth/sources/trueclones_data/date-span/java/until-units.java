List<Integer> difference(int year1, int month1, int day1, int year2, int month2, int day2) {
    LocalDate start = LocalDate.of(year1, month1, day1), end = LocalDate.of(year2, month2, day2);
    if (end.isBefore(start)) {
        LocalDate other = start;
        start = end;
        end = other;
    }
    long months = ChronoUnit.MONTHS.between(start, end);
    LocalDate reached = start.plusMonths(months);
    long days = ChronoUnit.DAYS.between(reached, end);
    return List.of((int) (months / 12), (int) (months % 12), (int) days);
}
