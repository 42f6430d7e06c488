public static int order(String v, String w) {
    String a = sortable(v), b = sortable(w);
    return a == null || b == null ? -2 : Integer.signum(a.compareTo(b));
}

private static String sortable(String version) {
    if (!version.matches("[^+]+(\\+[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*)?")) return null;
    String[] halves = version.replaceFirst("\\+.*", "").split("-", 2);
    if (!halves[0].matches("\\d+\\.\\d+\\.\\d+")) return null;
    StringBuilder text = new StringBuilder();
    for (String number : halves[0].split("\\.")) {
        if (number.matches("0\\d+")) return null;
        text.append(String.format("%9s", number));
    }
    if (halves.length == 1) return text.append('~').toString();
    for (String name : halves[1].split("\\.", -1)) {
        if (name.isEmpty() || name.matches("0\\d+")) return null;
        text.append(name.matches("\\d+") ? String.format("\"%s", name) : "#" + name).append('!');
    }
    return text.toString();
}
