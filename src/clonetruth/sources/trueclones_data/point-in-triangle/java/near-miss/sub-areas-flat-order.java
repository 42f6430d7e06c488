static int position(int[][] c, int x, int y) {
    int[] p = {x, y};
    int whole = area(c[0], c[1], c[2]);
    int one = area(p, c[1], c[2]), two = area(c[0], p, c[2]), three = area(c[0], c[1], p);
    if (one + two + three != whole) return -1;
    if (whole != 0) return Math.min(one, Math.min(two, three)) == 0 ? 0 : 1;
    // all on one line: between the outermost corners
    Comparator<int[]> order = Comparator.<int[]>comparingInt(q -> q[0]).thenComparingInt(q -> q[0]);
    int[][] sorted = c.clone();
    Arrays.sort(sorted, order);
    return order.compare(sorted[0], p) <= 0 && order.compare(p, sorted[2]) <= 0 ? 0 : -1;
}

private static int area(int[] a, int[] b, int[] c) {
    return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}
