public List<Integer> collapse(int number, int base) {
    BigInteger b = BigInteger.valueOf(base);
    BigInteger value = BigInteger.valueOf(number);
    int additions = 0;
    BigInteger sum = value;
    do {
        value = sum;
        sum = BigInteger.ZERO;
        // takes the digits off from the right
        for (BigInteger rest = value; rest.signum() > 0; rest = rest.divide(b)) {
            sum = sum.add(rest.mod(b));
        }
        additions++;
    } while (value.compareTo(b) >= 0);
    return Arrays.asList(value.intValue(), additions);
}
