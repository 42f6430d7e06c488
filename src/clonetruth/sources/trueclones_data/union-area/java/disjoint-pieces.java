static int area(int[][] input) {
    List<int[]> pieces = new ArrayList<>();
    for (int[] r : input) {
        List<int[]> fresh = new ArrayList<>();
        fresh.add(new int[] {Math.min(r[0], r[2]), Math.min(r[1], r[3]), Math.max(r[0], r[2]), Math.max(r[1], r[3])});
        for (int[] old : pieces) {
            List<int[]> left = new ArrayList<>();
            for (int[] part : fresh) left.addAll(minus(part, old));
            fresh = left;
        }
        pieces.addAll(fresh);
    }
    return pieces.stream().mapToInt(p -> (p[2] - p[0]) * (p[3] - p[1])).sum();
}

// What is left of a when b is cut out: at most four rectangles.
private static List<int[]> minus(int[] a, int[] b) {
    if (b[2] <= a[0] || b[0] >= a[2] || b[3] <= a[1] || b[1] >= a[3]) return List.of(a);
    List<int[]> rest = new ArrayList<>();
    int low = Math.max(a[1], b[1]), high = Math.min(a[3], b[3]);
    if (a[1] < low) rest.add(new int[] {a[0], a[1], a[2], low});
    if (a[3] > high) rest.add(new int[] {a[0], high, a[2], a[3]});
    if (a[0] < b[0]) rest.add(new int[] {a[0], low, b[0], high});
    if (a[2] > b[2]) rest.add(new int[] {b[2], low, a[2], high});
    return rest;
}
