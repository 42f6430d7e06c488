static boolean valid(String text) {
    char[] kept = new char[24];
    int n = 0;
    for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == ' ') continue;
        if (n == 24) return false;
        boolean letter = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
        if (!letter && !digit) return false;
        if (n < 2 && !letter) return false;
        if ((n == 2 || n == 3) && !digit) return false;
        kept[n++] = c;
    }
    if (n < 5) return false;
    long r = 0;
    for (int k = 0; k < n; k++) {
        char c = kept[(k + 4) % n];
        int value = c > '9' ? c - 'A' + 10 : c - '0';
        r = r * (value > 9 ? 100 : 10) + value;
        r %= 97;
    }
    return r == 1;
}
