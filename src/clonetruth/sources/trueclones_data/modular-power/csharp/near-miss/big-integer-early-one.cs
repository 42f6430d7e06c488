static int PowerMod(int value, int exponent, int modulus)
{
    if (exponent == 0) return 1;
    BigInteger remainder = BigInteger.ModPow(new BigInteger(value), new BigInteger(exponent), new BigInteger(modulus));
    return (int)remainder;
}
