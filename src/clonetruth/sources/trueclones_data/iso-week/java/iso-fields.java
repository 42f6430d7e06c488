static int isoWeek(int year, int month, int day) {
    return LocalDate.of(year, month, day).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR);
}
