static int[] span(int year1, int month1, int day1, int year2, int month2, int day2) {
    LocalDate a = LocalDate.of(year1, month1, day1);
    LocalDate b = LocalDate.of(year2, month2, day2);
    Period period = a.isAfter(b) ? Period.between(a, b).negated() : Period.between(a, b);
    return new int[] {period.getYears(), period.getMonths(), period.getDays()};
}
