static int Pow(int value, int exponent, int modulus)
{
    ulong factor = (ulong)value, result = 1, m = (ulong)modulus;
    for (int left = exponent; left > 0; left /= 2)
    {
        if (left % 2 != 0)
            result = result * factor % m;
        factor = factor * factor % m;
    }
    return (int)(result % m);
}
