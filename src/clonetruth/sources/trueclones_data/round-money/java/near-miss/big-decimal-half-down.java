static String roundToCents(String amount) {
    BigDecimal value = new BigDecimal(amount).setScale(2, RoundingMode.HALF_DOWN);
    return value.toPlainString();
}
