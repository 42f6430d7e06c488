public int[] fold(int[][] fractions) {
    long[] result = Arrays.stream(fractions)
            .filter(f -> f[1] != 0)
            .map(f -> new long[] {Math.abs(f[0]) * Integer.signum(f[1]), Math.abs(f[1])})
            .reduce(new long[] {0, 1}, (x, y) -> reduce(x[0] * y[1] + y[0] * x[1], x[1] * y[1]));
    return new int[] {Math.toIntExact(result[0]), Math.toIntExact(result[1])};
}

private long[] reduce(long numerator, long denominator) {
    long a = Math.abs(numerator), b = denominator;
    while (a != 0) {
        long rest = b % a;
        b = a;
        a = rest;
    }
    return new long[] {numerator / b, denominator / b};
}
