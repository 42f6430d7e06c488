static int area(int[][] pts) {
    if (pts.length == 0) return 0;
    int start = 0;
    for (int i = 1; i < pts.length; i++) {
        if (pts[i][1] < pts[start][1] || pts[i][1] == pts[start][1] && pts[i][0] < pts[start][0]) start = i;
    }
    int total = 0;
    int[] at = pts[start];
    do {
        int[] next = at;
        for (int[] candidate : pts) {
            int dx = candidate[0] - at[0], dy = candidate[1] - at[1];
            int nx = next[0] - at[0], ny = next[1] - at[1];
            int side = nx * dy - ny * dx;
            boolean farther = dx * dx + dy * dy > nx * nx + ny * ny;
            if (side < 0 || side == 0 && farther) next = candidate;
        }
        total += at[0] * next[1] - next[0] * at[1];
        at = next;
    } while (!Arrays.equals(at, pts[start]));
    return total;
}
