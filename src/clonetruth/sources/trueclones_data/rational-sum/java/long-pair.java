public static int[] sum(int[][] fractions) {
    long n = 0, d = 1;
    for (int[] f : fractions) {
        if (f[1] == 0) continue;
        n = n * f[1] + f[0] * d;
        d = d * f[1];
        long g = gcd(Math.abs(n), Math.abs(d));
        n /= g;
        d /= g;
    }
    return d < 0 ? new int[] {(int) -n, (int) -d} : new int[] {(int) n, (int) d};
}

private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
}
