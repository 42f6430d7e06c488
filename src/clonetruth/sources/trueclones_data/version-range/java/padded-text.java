boolean accepts(String version, String range) {
    String have = pad(version);
    String[] parts = range.split(" |\\|\\|");
    boolean first = check(have, parts[0]);
    if (parts.length == 1) return first;
    boolean second = check(have, parts[1]);
    return range.contains(" ") ? first && second : first || second;
}

private boolean check(String have, String condition) {
    if (condition.startsWith("<")) return have.compareTo(pad(condition.substring(1))) < 0;
    if (condition.startsWith(">=")) return have.compareTo(pad(condition.substring(2))) >= 0;
    if (Character.isDigit(condition.charAt(0))) return have.equals(pad(condition));
    String want = pad(condition.substring(1));
    int keep = 4;
    if (condition.startsWith("^")) {
        keep = 2;
        while (keep < 6 && want.startsWith("00", keep - 2)) keep += 2;
    }
    return have.startsWith(want.substring(0, keep)) && have.compareTo(want) >= 0;
}

/** Two digits for each number, so that texts have the order of versions. */
private String pad(String version) {
    StringBuilder padded = new StringBuilder();
    for (String number : version.split("\\.")) padded.append(number.length() == 1 ? "0" : "").append(number);
    return padded.toString();
}
