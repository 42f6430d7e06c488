public static int locate(int[][] t, int x, int y) {
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; i++) {
        int[] p = t[i], q = t[(i + 1) % 3];
        int cross = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        if (cross > 0) positive++;
        if (cross < 0) negative++;
        boolean inBox = x >= Math.min(p[0], q[0]) && x <= Math.max(p[0], q[0])
                && y >= Math.min(p[1], q[1]) && y <= Math.max(p[1], q[1]);
        if (cross == 0 && inBox) return 0;
    }
    return positive == 0 || negative == 0 ? 1 : -1;
}
