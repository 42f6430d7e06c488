public long Isqrt(long number)
{
    long low = 0;
    long high = 94906266;
    // low * low <= number < high * high
    while (high - low > 1)
    {
        long middle = low + (high - low) / 2;
        if (middle * middle <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}
