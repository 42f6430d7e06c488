static long Root(long n)
{
    if (n < 2) return n;
    long x = n, y = (n + 1) / 2;
    while (y < x)
    {
        x = y;
        y = (x + n / x) / 2;
    }
    return x;
}
