public String normalise(String amount) {
    StringBuilder digits = new StringBuilder(amount.replace("-", ""));
    if (digits.indexOf(".") < 0) digits.append('.');
    digits.append("00000");
    int end = digits.indexOf(".") + 3;
    String rest = (digits.substring(end) + "000").substring(0, 3);
    digits.setLength(end);
    boolean odd = (digits.charAt(end - 1) - '0') % 2 != 0;
    boolean up = rest.compareTo("500") > 0 || rest.equals("500") && odd;
    for (int i = end - 1; up && i >= 0; i--) {
        char c = digits.charAt(i);
        if (c == '.') continue;
        digits.setCharAt(i, c == '9' ? '0' : (char) (c + 1));
        up = c == '9';
    }
    if (up) digits.insert(0, '1');
    while (digits.charAt(0) == '0' && digits.charAt(1) != '.') digits.deleteCharAt(0);
    if (amount.startsWith("-") && !digits.toString().equals("0.00")) digits.insert(0, '-');
    return digits.toString();
}
