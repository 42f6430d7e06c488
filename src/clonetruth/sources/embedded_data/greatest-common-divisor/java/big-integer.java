static int gcdOf(int m, int n) {
    BigInteger left = BigInteger.valueOf(m);
    BigInteger right = BigInteger.valueOf(n);
    return left.gcd(right).intValueExact();
}
