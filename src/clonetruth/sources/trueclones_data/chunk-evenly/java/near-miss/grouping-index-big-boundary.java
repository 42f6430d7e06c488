public int[][] pieces(int[] data, int count) {
    int n = data.length, small = n / count, big = n - small * count;
    return IntStream.range(0, count)
            .mapToObj(g -> IntStream.range(0, n)
                    .filter(i -> group(i, small, big) == g)
                    .map(i -> data[i])
                    .toArray())
            .toArray(int[][]::new);
}

private int group(int i, int small, int big) {
    int inBig = big * small + 1;
    return i < inBig ? i / (small + 1) : big + (i - inBig) / small;
}
