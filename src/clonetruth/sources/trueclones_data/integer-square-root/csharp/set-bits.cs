static long FloorRoot(long n)
{
    long root = 0;
    for (int bit = 26; bit >= 0; bit--)
    {
        long larger = root | 1L << bit;
        if (larger * larger <= n) root = larger;
    }
    return root;
}
