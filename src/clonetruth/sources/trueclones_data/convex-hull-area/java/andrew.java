public static int hullArea(int[][] points) {
    int[][] p = points.clone();
    Arrays.sort(p, (a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : Integer.compare(a[1], b[1]));
    int n = p.length, k = 0;
    int[][] hull = new int[2 * n + 1][];
    for (int i = 0; i < n; i++) {
        while (k >= 2 && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) k--;
        hull[k++] = p[i];
    }
    int lower = k + 1;
    for (int i = n - 2; i >= 0; i--) {
        while (k >= lower && turn(hull[k - 2], hull[k - 1], p[i]) <= 0) k--;
        hull[k++] = p[i];
    }
    int area = 0;
    for (int i = 0; i + 1 < k; i++) {
        area += hull[i][0] * hull[i + 1][1] - hull[i][1] * hull[i + 1][0];
    }
    return Math.abs(area);
}

private static int turn(int[] o, int[] a, int[] b) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}
