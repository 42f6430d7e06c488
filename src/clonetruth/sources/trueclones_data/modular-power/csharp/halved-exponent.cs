public long Power(int b, int e, int m)
{
    switch (e)
    {
        case 0: return 1 % m;
        case 1: return b % m;
    }
    long half = Power(b, e / 2, m);
    long even = half * half % m;
    return e % 2 == 0 ? even : even * b % m;
}
