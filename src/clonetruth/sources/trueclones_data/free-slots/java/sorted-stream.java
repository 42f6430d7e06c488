public int[][] gaps(int[][] busy, int length) {
    int[][] sorted = Stream.concat(Arrays.stream(busy), Stream.of(new int[] {24, 25}))
            .filter(b -> b[0] < b[1])
            .sorted(Comparator.comparingInt(b -> b[0]))
            .toArray(int[][]::new);
    int[] latest = {0};
    return Arrays.stream(sorted)
            .map(b -> {
                int[] gap = {latest[0], b[0]};
                latest[0] = Math.max(latest[0], b[1]);
                return gap;
            })
            .filter(gap -> gap[1] - gap[0] >= length)
            .toArray(int[][]::new);
}
