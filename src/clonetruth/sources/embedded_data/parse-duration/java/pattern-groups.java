public static int toSeconds(String text) {
    Matcher m = Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?").matcher(text);
    if (text.isEmpty() || !m.matches()) {
        return -1;
    }
    int[] weights = {3600, 60, 1};
    int seconds = 0;
    for (int part = 0; part < 3; part++) {
        String digits = m.group(part + 1);
        if (digits != null) {
            seconds += weights[part] * Integer.parseInt(digits);
        }
    }
    return seconds;
}
