String primeFactors(int n) {
    TreeMap<Integer, Integer> exponents = new TreeMap<>();
    int rest = n;
    while (rest > 1) {
        int p = smallestPrimeFactor(rest);
        exponents.merge(p, 1, Integer::sum);
        rest /= p;
    }
    if (exponents.isEmpty()) return "1";
    return exponents.entrySet().stream()
            .map(e -> e.getValue() == 1 ? e.getKey().toString() : e.getKey() + "^" + e.getValue())
            .collect(Collectors.joining(" * "));
}

private int smallestPrimeFactor(int n) {
    if (n % 2 == 0) return 2;
    for (int d = 3; d <= n / d; d += 2) {
        if (n % d == 0) return d;
    }
    return n;
}
