/** Keeps the checksum for both possible parities and picks one when the length is known. */
public boolean checkDigitOk(String code) {
    int seen = 0;
    int[] sums = new int[2];
    for (char ch : code.toCharArray()) {
        if (ch == ' ') continue;
        if (!Character.isDigit(ch)) return false;
        int value = Character.getNumericValue(ch);
        int twofold = value * 2 % 10;
        sums[seen % 2] += value;
        sums[(seen + 1) % 2] += twofold;
        seen++;
    }
    return seen > 1 && sums[(seen + 1) % 2] % 10 == 0;
}
