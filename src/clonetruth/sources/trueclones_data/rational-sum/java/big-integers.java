List<Integer> add(List<List<Integer>> terms) {
    BigInteger top = BigInteger.ZERO, bottom = BigInteger.ONE;
    for (List<Integer> term : terms) {
        BigInteger a = BigInteger.valueOf(term.get(0)), b = BigInteger.valueOf(term.get(1));
        if (b.signum() == 0) continue;
        if (b.signum() < 0) {
            a = a.negate();
            b = b.negate();
        }
        top = top.multiply(b).add(a.multiply(bottom));
        bottom = bottom.multiply(b);
    }
    BigInteger common = top.gcd(bottom);
    return List.of(top.divide(common).intValueExact(), bottom.divide(common).intValueExact());
}
