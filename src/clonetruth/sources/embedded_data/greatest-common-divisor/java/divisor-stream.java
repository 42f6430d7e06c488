public int largestSharedDivisor(int x, int y) {
    final int small = Math.min(x, y);
    final int large = Math.max(x, y);
    if (small == 0) {
        return large;
    }
    return IntStream.rangeClosed(1, (int) Math.sqrt(small))
            .filter(d -> small % d == 0)
            .flatMap(d -> IntStream.of(d, small / d))
            .filter(d -> large % d == 0)
            .max()
            .getAsInt();
}
