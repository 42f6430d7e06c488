public static List<int[]> merge(int[][] ranges) {
    List<int[]> sorted = new ArrayList<>();
    for (int[] r : ranges) {
        sorted.add(new int[] {Math.min(r[0], r[1]), Math.max(r[0], r[1])});
    }
    sorted.sort(Comparator.comparingInt(r -> r[0]));
    LinkedList<int[]> result = new LinkedList<>();
    for (int[] r : sorted) {
        if (result.isEmpty() || result.getLast()[1] < r[0] - 1) {
            result.add(r);
        } else {
            result.getLast()[1] = Math.max(result.getLast()[1], r[1]);
        }
    }
    return result;
}
