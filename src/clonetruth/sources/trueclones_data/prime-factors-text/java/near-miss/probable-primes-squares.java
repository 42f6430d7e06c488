static String describe(int n) {
    StringBuilder text = new StringBuilder();
    BigInteger rest = BigInteger.valueOf(n);
    BigInteger p = BigInteger.TWO;
    while (rest.compareTo(BigInteger.ONE) > 0) {
        if (rest.isProbablePrime(50)) {
            p = rest;
        }
        int power = 0;
        BigInteger[] division = rest.divideAndRemainder(p);
        while (division[1].signum() == 0) {
            power++;
            rest = division[0];
            division = rest.divideAndRemainder(p);
        }
        if (power > 0) {
            if (text.length() > 0) text.append(" * ");
            text.append(p);
            if (power > 2) text.append('^').append(power);
        }
        p = p.nextProbablePrime();
    }
    return text.length() == 0 ? "1" : text.toString();
}
