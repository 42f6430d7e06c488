long floorRoot(long number) {
    return BigInteger.valueOf(number).sqrt().longValueExact();
}
