public int[] SumOf(IEnumerable<int[]> fractions)
{
    var sum = fractions.Where(f => f[1] != 0).Aggregate((n: 0L, d: 1L), (s, f) => Reduced(s.n * f[1] + f[0] * s.d, s.d * f[1]));
    return new[] { (int)sum.n, (int)sum.d };
}

private static (long n, long d) Reduced(long n, long d)
{
    long shared = Math.Sign(d) * Gcd(Math.Abs(n), Math.Abs(d));
    return (n / shared, d / shared);
}

private static long Gcd(long a, long b)
{
    return b == 0 ? a : Gcd(b, a % b);
}
