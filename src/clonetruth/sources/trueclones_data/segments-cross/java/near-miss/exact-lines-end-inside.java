boolean commonPoint(List<Integer> first, List<Integer> second) {
    int[] p = first.stream().mapToInt(Integer::intValue).toArray();
    int[] q = second.stream().mapToInt(Integer::intValue).toArray();
    if (p[0] == p[2] && p[1] == p[3]) return contains(q, p[0], p[1]);
    if (q[0] == q[2] && q[1] == q[3]) return contains(p, q[0], q[1]);
    // lines a x + b y = c
    int a1 = p[3] - p[1], b1 = p[0] - p[2], c1 = a1 * p[0] + b1 * p[1];
    int a2 = q[3] - q[1], b2 = q[0] - q[2], c2 = a2 * q[0] + b2 * q[1];
    int det = a1 * b2 - a2 * b1;
    if (det != 0) {
        double x = (double) (b2 * c1 - b1 * c2) / det, y = (double) (a1 * c2 - a2 * c1) / det;
        return inBox(p, x, y) && inBox(q, x, y);
    }
    return contains(p, q[2], q[3]) || contains(q, p[0], p[1]);
}

private boolean contains(int[] s, int x, int y) {
    return (s[2] - s[0]) * (y - s[1]) == (s[3] - s[1]) * (x - s[0]) && inBox(s, x, y);
}

private boolean inBox(int[] s, double x, double y) {
    double e = 1e-9;
    return x >= Math.min(s[0], s[2]) - e && x <= Math.max(s[0], s[2]) + e
            && y >= Math.min(s[1], s[3]) - e && y <= Math.max(s[1], s[3]) + e;
}
