int value(String numeral) {
    int[] at = {0};
    int result = digit(numeral, at, 'M', '-', '-') * 1000;
    result += digit(numeral, at, 'C', 'D', 'M') * 100;
    result += digit(numeral, at, 'X', 'L', 'C') * 10;
    result += digit(numeral, at, 'I', 'V', 'X');
    return at[0] < numeral.length() || result == 0 ? -1 : result;
}

private int digit(String s, int[] at, char one, char five, char ten) {
    if (accept(s, at, "" + one + ten)) return 9;
    if (accept(s, at, "" + one + five)) return 4;
    int digit = accept(s, at, "" + five) ? 5 : 0;
    for (int i = 0; i < 4 && accept(s, at, "" + one); i++) digit++;
    return digit;
}

private boolean accept(String s, int[] at, String expected) {
    if (!s.startsWith(expected, at[0])) return false;
    at[0] += expected.length();
    return true;
}
