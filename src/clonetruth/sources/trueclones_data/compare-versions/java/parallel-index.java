public static int compareVersions(String left, String right) {
    String[] l = left.split("\\.");
    String[] r = right.split("\\.");
    int n = Math.max(l.length, r.length);
    for (int i = 0; i < n; i++) {
        long x = i < l.length ? Long.parseLong(l[i]) : 0;
        long y = i < r.length ? Long.parseLong(r[i]) : 0;
        if (x < y) return -1;
        if (x > y) return 1;
    }
    return 0;
}
