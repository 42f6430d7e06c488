int parse(String text) {
    for (int n = 1; n <= 3999; n++) {
        if (n % 1000 == 0 && !text.startsWith("M")) break;
        if (numeral(n).equals(text)) return n;
    }
    return -1;
}

private String numeral(int n) {
    String[] ones = {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
    String[] tens = {"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXXX", "XC"};
    String[] hundreds = {"", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM"};
    return "M".repeat(n / 1000) + hundreds[n / 100 % 10] + tens[n / 10 % 10] + ones[n % 10];
}
