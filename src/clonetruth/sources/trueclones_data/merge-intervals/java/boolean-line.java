int[][] cover(int[][] spans) {
    final int offset = 51;
    boolean[] covered = new boolean[104];
    for (int[] span : spans) {
        int from = Math.min(span[0], span[1]), to = Math.max(span[0], span[1]);
        Arrays.fill(covered, from + offset, to + offset + 1, true);
    }
    List<int[]> found = new ArrayList<>();
    int start = 0;
    for (int i = 1; i < covered.length; i++) {
        if (covered[i] && !covered[i - 1]) start = i;
        if (!covered[i] && covered[i - 1]) found.add(new int[] {start - offset, i - 1 - offset});
    }
    return found.toArray(new int[0][]);
}
