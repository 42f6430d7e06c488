int[][] search(int[][] busy, int length) {
    List<int[]> result = new ArrayList<>();
    int from = 0;
    while (from < 24) {
        int to = 24, until = from;
        for (int[] b : busy) {
            if (b[0] >= b[1] || b[1] <= from) continue;
            if (b[0] <= from) until = Math.max(until, b[1]);
            to = b[0];
        }
        if (until > from) {
            from = until;
            continue;
        }
        if (to - from >= length) result.add(new int[] {from, to});
        from = to;
    }
    return result.toArray(new int[result.size()][]);
}
