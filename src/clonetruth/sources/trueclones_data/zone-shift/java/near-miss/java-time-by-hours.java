String convert(String time, int fromOffset, int toOffset) {
    LocalDate day = LocalDate.of(2001, 5, 17);
    OffsetDateTime here = OffsetDateTime.of(day, LocalTime.parse(time), ZoneOffset.ofTotalSeconds(fromOffset * 60));
    OffsetDateTime there = here.withOffsetSameInstant(ZoneOffset.ofTotalSeconds(toOffset * 60));
    long days = ChronoUnit.DAYS.between(here.toLocalDateTime(), there.toLocalDateTime());
    String suffix = days > 0 ? " +" + days : days < 0 ? " " + days : "";
    return there.toLocalTime().toString() + suffix;
}
