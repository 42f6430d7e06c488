public String armor(List<Integer> bytes) {
    final char[] digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".toCharArray();
    BigInteger number = BigInteger.ZERO;
    for (int b : bytes) {
        number = number.multiply(BigInteger.valueOf(256)).add(BigInteger.valueOf(b));
    }
    int missing = (3 - bytes.size() % 3) % 3;
    number = number.shiftLeft(8 * missing);
    char[] text = new char[(bytes.size() + missing) / 3 * 4];
    for (int i = text.length - 1; i >= 0; i--) {
        BigInteger[] parts = number.divideAndRemainder(BigInteger.valueOf(64));
        text[i] = digits[parts[1].intValue()];
        number = parts[0];
    }
    // the filled-up bytes are not data
    Arrays.fill(text, text.length - missing, text.length, '=');
    return new String(text);
}
