static String lookUp(String q, String wanted) {
    return Arrays.stream(q.split("&"))
            .filter(p -> !p.isBlank())
            .map(p -> (p + "=").split("=", 2))
            .map(p -> new String[] {plain(p[0]), plain(p[1].isEmpty() ? p[1] : p[1].substring(0, p[1].length() - 1))})
            .filter(p -> p[0].equals(wanted))
            .map(p -> p[1])
            .findFirst()
            .orElse("(none)");
}

static String plain(String coded) {
    StringBuilder b = new StringBuilder(coded.replace("+", "%20"));
    for (int at = b.indexOf("%"); at >= 0; at = b.indexOf("%", at + 1)) {
        b.replace(at, at + 3, Character.toString(Integer.parseInt(b.substring(at + 1, at + 3), 16)));
    }
    return b.toString();
}
