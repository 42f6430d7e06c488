public long reversedBinary(long number) {
    String digits = Long.toBinaryString(number);
    while (digits.length() < 32) {
        digits = "0" + digits;
    }
    StringBuilder backwards = new StringBuilder(digits).reverse();
    return Long.parseLong(backwards.toString(), 2);
}
