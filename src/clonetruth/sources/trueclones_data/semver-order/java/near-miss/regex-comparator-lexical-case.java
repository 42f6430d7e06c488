public static int compareVersions(String left, String right) {
    String number = "(?:0|[1-9]\\d*)";
    String name = "(?:" + number + "|\\d*[A-Za-z-][A-Za-z0-9-]*)";
    Pattern version = Pattern.compile(String.format(
            "(%1$s)\\.(%1$s)\\.(%1$s)(?:-(%2$s(?:\\.%2$s)*))?(?:\\+[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*)?", number, name));
    Matcher a = version.matcher(left), b = version.matcher(right);
    if (!a.matches() || !b.matches()) return -2;
    for (int i = 1; i <= 3; i++) {
        int order = Integer.compare(Integer.parseInt(a.group(i)), Integer.parseInt(b.group(i)));
        if (order != 0) return order;
    }
    if (a.group(4) == null || b.group(4) == null) {
        return Boolean.compare(a.group(4) == null, b.group(4) == null);
    }
    String[] x = a.group(4).split("\\."), y = b.group(4).split("\\.");
    for (int i = 0; i < x.length && i < y.length; i++) {
        int order = compareIdentifiers(x[i], y[i]);
        if (order != 0) return order;
    }
    return Integer.compare(x.length, y.length);
}

static int compareIdentifiers(String x, String y) {
    boolean numericX = x.matches("\\d+"), numericY = y.matches("\\d+");
    if (numericX && numericY) return Integer.compare(Integer.parseInt(x), Integer.parseInt(y));
    if (numericX != numericY) return numericX ? -1 : 1;
    return Integer.signum(x.compareToIgnoreCase(y));
}
