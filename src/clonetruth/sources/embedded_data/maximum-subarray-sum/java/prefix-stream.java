int maximumGain(int[] changes) {
    int[] prefix = new int[changes.length + 1];
    System.arraycopy(changes, 0, prefix, 1, changes.length);
    Arrays.parallelPrefix(prefix, Integer::sum);
    return IntStream.rangeClosed(1, changes.length)
            .map(to -> prefix[to] - IntStream.range(0, to).map(from -> prefix[from]).min().getAsInt())
            .max()
            .orElse(0);
}
