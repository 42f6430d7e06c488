public static boolean isValid(String text) {
    String digits = text.replace(" ", "");
    if (digits.length() < 2) {
        return false;
    }
    int sum = 0;
    boolean twice = true;
    for (int i = digits.length() - 1; i >= 0; i--) {
        char c = digits.charAt(i);
        if (c < '0' || c > '9') {
            return false;
        }
        int d = c - '0';
        if (twice) {
            d *= 2;
            if (d > 9) {
                d -= 9;
            }
        }
        sum += d;
        twice = !twice;
    }
    return sum % 10 == 0;
}
