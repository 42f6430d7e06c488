static int PowerMod(int value, int exponent, int modulus)
{
    BigInteger remainder = BigInteger.ModPow(new BigInteger(value), new BigInteger(exponent), new BigInteger(modulus));
    return (int)remainder;
}
