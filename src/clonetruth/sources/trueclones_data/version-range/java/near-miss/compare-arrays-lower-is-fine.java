static boolean satisfies(String version, String range) {
    boolean either = range.contains("||");
    for (String condition : range.split(either ? "\\|\\|" : " ")) {
        if (holds(version, condition) == either) return either;
    }
    return !either;
}

private static boolean holds(String version, String condition) {
    String digits = condition.replaceFirst("^[^0-9]+", "");
    String sign = condition.substring(0, condition.length() - digits.length());
    int[] have = parse(version), want = parse(digits);
    int order = Arrays.compare(have, want);
    switch (sign) {
        case "":
            return order == 0;
        case "<":
            return order < 0;
        case ">=":
            return order >= 0;
    }
    int same = 2;
    if (sign.equals("^")) same = want[0] > 0 ? 1 : want[1] > 0 ? 2 : 3;
    return order >= -1 && Arrays.equals(have, 0, same, want, 0, same);
}

private static int[] parse(String text) {
    return Arrays.stream(text.split("\\.")).mapToInt(Integer::parseInt).toArray();
}
