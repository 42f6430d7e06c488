static boolean member(String ip, String cidr) {
    String octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    String quad = octet + "(?:\\." + octet + "){3}";
    if (!ip.matches(quad) || !cidr.matches(quad + "/[0-9]{1,2}") || cidr.endsWith("/00")) {
        return false;
    }
    String[] halves = cidr.split("/");
    int ignored = 32 - Integer.parseInt(halves[1]);
    return ignored >= 0 && toNumber(ip).shiftRight(ignored).equals(toNumber(halves[0]).shiftRight(ignored));
}

static BigInteger toNumber(String quad) {
    return Stream.of(quad.split("\\."))
            .map(BigInteger::new)
            .reduce(BigInteger.ZERO, (sum, next) -> sum.multiply(BigInteger.valueOf(256)).add(next));
}
