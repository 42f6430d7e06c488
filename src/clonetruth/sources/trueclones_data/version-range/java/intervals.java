boolean inRange(String version, String range) {
    int value = code(version);
    if (range.indexOf('|') >= 0) {
        String first = range.substring(0, range.indexOf('|'));
        return within(value, first) || within(value, range.substring(first.length() + 2));
    }
    int space = range.indexOf(' ');
    if (space < 0) return within(value, range);
    return within(value, range.substring(0, space)) && within(value, range.substring(space + 1));
}

private boolean within(int value, String condition) {
    char sign = condition.charAt(0);
    if (sign == '<') return value < code(condition.substring(1));
    if (sign == '>') return value >= code(condition.substring(2));
    if (sign == '~') {
        int low = code(condition.substring(1));
        return value >= low && value / 100 == low / 100;
    }
    if (sign == '^') {
        int low = code(condition.substring(1));
        int unit = low < 100 ? 1 : low < 100 * 100 ? 100 : 100 * 100;
        return value >= low && value / unit == low / unit;
    }
    return value == code(condition);
}

private int code(String version) {
    String[] parts = version.split("\\.");
    return (Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1])) * 100 + Integer.parseInt(parts[2]);
}
