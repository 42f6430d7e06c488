public static boolean isValid(String text) {
    String account = text.replace(" ", "");
    if (!account.matches("[A-Z]{2}\\d{2}[A-Za-z0-9]{1,20}")) {
        return false;
    }
    String moved = account.substring(4) + account.substring(0, 4);
    StringBuilder digits = new StringBuilder();
    for (char c : moved.toCharArray()) {
        digits.append(Character.getNumericValue(c));
    }
    return new BigInteger(digits.toString()).mod(BigInteger.valueOf(97)).intValue() == 1;
}
