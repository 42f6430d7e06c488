static List<int> Add(List<List<int>> fractions)
{
    long top = 0, bottom = 1;
    foreach (var fraction in fractions)
    {
        int n = fraction[0], d = fraction[1];
        if (d == 0) continue;
        top = top * d + n * bottom;
        bottom *= d;
        for (long p = 2; p <= 30; p++)
        {
            while (top % p == 0 && bottom % p == 0)
            {
                top /= p;
                bottom /= p;
            }
            if (top == 0) bottom = 1;
        }
    }
    int sign = bottom < 0 ? -1 : 1;
    return new List<int> { (int)top * sign, (int)bottom * sign };
}
