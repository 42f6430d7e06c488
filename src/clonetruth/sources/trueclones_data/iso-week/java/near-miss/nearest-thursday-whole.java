static int week(int year, int month, int day) {
    LocalDate date = LocalDate.of(year, month, day);
    LocalDate thursday = date.plusDays(4 - date.getDayOfWeek().getValue());
    return thursday.getDayOfYear() / 7 + 1;
}
