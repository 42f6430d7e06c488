static int secondsOf(String shorthand) {
    if (!shorthand.matches("[0-9hms]+")) {
        return -1;
    }
    try {
        return Math.toIntExact(Duration.parse("PT" + shorthand.toUpperCase(Locale.ROOT)).getSeconds());
    } catch (DateTimeParseException notADuration) {
        return -1;
    }
}
