static int[] Sum(int[][] fractions)
{
    // The least common multiple of 1 to 30: every permitted denominator divides it.
    const long Parts = 2329089562800;
    long total = fractions.Where(f => f[1] != 0).Sum(f => Parts / f[1] * f[0]);
    long a = Math.Abs(total), b = Parts;
    while (a != 0)
    {
        long rest = b % a;
        b = a;
        a = rest;
    }
    return new[] { (int)(total / b), (int)(Parts / b) };
}
