// Both versions as one large number each, with the parts as its digits.
static int Newer(string left, string right)
{
    BigInteger difference = Weight(left) - Weight(right);
    return difference.Sign;
}

static BigInteger Weight(string version)
{
    string[] parts = version.Split('.');
    BigInteger weight = BigInteger.Zero;
    for (int i = 0; i < 5; i++)
    {
        weight *= 1000000000000;
        if (i < parts.Length)
            weight += BigInteger.Parse(parts[i]);
    }
    return weight;
}
