public String show(long count) {
    int group = count == 0 ? 0 : (63 - Long.numberOfLeadingZeros(count)) / 10;
    double exact = (double) count / (1L << 10 * group);
    // doubles hold these numbers exactly, the quotient by a power of two as well
    String text = new BigDecimal(Math.floor(exact * 10) / 10).setScale(1, RoundingMode.HALF_UP).toPlainString();
    if (text.endsWith(".0")) text = text.substring(0, text.length() - 2);
    return text + (group == 0 ? " B" : " " + "KMGTP".substring(group - 1, group) + "iB");
}
