int recover(String isbn) {
    int n = isbn.length(), at = isbn.indexOf('?');
    IntUnaryOperator weight = i -> n == 13 ? 1 + 2 * (i % 2) : n - i;
    int known = IntStream.range(0, n)
            .filter(i -> i != at)
            .map(i -> weight.applyAsInt(i) * "0123456789X".indexOf(isbn.charAt(i)))
            .sum();
    int most = n == 10 && at == 9 ? 10 : 9;
    return IntStream.rangeClosed(0, most)
            .filter(d -> (known + d * weight.applyAsInt(at)) % (n == 13 ? 10 : 11) == 0)
            .findFirst()
            .orElse(-1);
}
