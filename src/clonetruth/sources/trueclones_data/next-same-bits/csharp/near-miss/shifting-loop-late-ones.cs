public int Successor(int n)
{
    int place = 1, passed = 0;
    // up to the first one with a zero above it
    while ((n & place) == 0 || (n & place << 1) != 0)
    {
        if ((n & place) != 0) passed++;
        n &= ~place;
        place <<= 1;
    }
    n ^= place | place << 1;
    for (int i = 0; i < passed; i++) n |= 2 << i;
    return n;
}
