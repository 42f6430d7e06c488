int[] plan(int amount, int rate, int payment) {
    BigDecimal balance = BigDecimal.valueOf(amount), pay = BigDecimal.valueOf(payment);
    int[] months = new int[12];
    int used = 0;
    do {
        BigDecimal interest = balance.multiply(BigDecimal.valueOf(rate, 4))
                .divide(BigDecimal.valueOf(12), 0, RoundingMode.HALF_UP);
        balance = balance.add(interest).subtract(pay).max(BigDecimal.ZERO);
        months[used++] = balance.intValueExact();
    } while (balance.signum() > 0 && used < months.length);
    return Arrays.copyOf(months, used);
}
