int union(List<List<Integer>> boxes) {
    TreeSet<Integer> xs = new TreeSet<>();
    for (List<Integer> b : boxes) {
        xs.add(b.get(0));
        xs.add(b.get(2));
    }
    int area = 0;
    Integer previous = null;
    for (int x : xs) {
        if (previous != null) {
            area += (x - previous) * length(boxes, previous, x);
        }
        previous = x;
    }
    return area;
}

// Length of the y ranges of all boxes that span the strip.
int length(List<List<Integer>> boxes, int from, int to) {
    List<int[]> ranges = new ArrayList<>();
    for (List<Integer> b : boxes) {
        if (Math.min(b.get(0), b.get(2)) <= from && Math.max(b.get(0), b.get(2)) >= to) {
            ranges.add(new int[] {Math.min(b.get(1), b.get(3)), Math.max(b.get(1), b.get(3))});
        }
    }
    ranges.sort(Comparator.comparingInt(r -> r[0]));
    int sum = 0, reached = Integer.MIN_VALUE;
    for (int[] r : ranges) {
        sum += Math.max(0, r[1] - Math.max(r[0], reached));
        reached = Math.max(r[0], r[1]);
    }
    return sum;
}
