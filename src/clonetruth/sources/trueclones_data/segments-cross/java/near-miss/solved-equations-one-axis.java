boolean share(int[] a, int[] b) {
    int dx = a[2] - a[0], dy = a[3] - a[1], ex = b[2] - b[0], ey = b[3] - b[1];
    int det = dx * ey - dy * ex, gx = b[0] - a[0], gy = b[1] - a[1];
    if (det == 0) return parallel(a, b);
    int t = gx * ey - gy * ex, u = gx * dy - gy * dx;
    if (det < 0) {
        det = -det;
        t = -t;
        u = -u;
    }
    return t >= 0 && t <= det && u >= 0 && u <= det;
}

private boolean parallel(int[] a, int[] b) {
    // all four points on one line, and the ranges on both axes overlap
    for (int[] s : new int[][] {{0, 1, 2, 3, 0, 1}, {0, 1, 2, 3, 2, 3}}) {
        if ((a[2] - a[0]) * (b[s[5]] - a[1]) != (a[3] - a[1]) * (b[s[4]] - a[0])) return false;
        if ((b[2] - b[0]) * (a[s[5]] - b[1]) != (b[3] - b[1]) * (a[s[4]] - b[0])) return false;
    }
    return overlap(a[0], a[2], b[0], b[2]);
}

private boolean overlap(int a, int b, int c, int d) {
    return Math.max(a, b) >= Math.min(c, d) && Math.max(c, d) >= Math.min(a, b);
}
