static int modPow(int base, int exponent, int modulus) {
    return BigInteger.valueOf(base).modPow(BigInteger.valueOf(exponent), BigInteger.valueOf(modulus)).intValue();
}
