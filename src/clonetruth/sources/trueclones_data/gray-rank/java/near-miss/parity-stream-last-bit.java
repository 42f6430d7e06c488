int index(int code) {
    return IntStream.range(1, 31)
            .filter(i -> Integer.bitCount(code >>> i) % 2 == 1)
            .map(i -> 1 << i)
            .sum();
}
