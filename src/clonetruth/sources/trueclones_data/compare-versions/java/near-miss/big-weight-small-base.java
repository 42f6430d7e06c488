/** Reads both versions as numbers in the base 10^11. */
public int newerThan(String version, String other) {
    return valueOf(version).compareTo(valueOf(other));
}

BigInteger valueOf(String version) {
    BigInteger base = BigInteger.TEN.pow(11);
    BigInteger value = BigInteger.ZERO;
    int parts = 0;
    for (StringTokenizer t = new StringTokenizer(version, "."); t.hasMoreTokens(); parts++) {
        value = value.multiply(base).add(new BigInteger(t.nextToken()));
    }
    return value.multiply(base.pow(5 - parts));
}
