static int missing(String isbn) {
    boolean last = isbn.endsWith("?");
    String candidates = isbn.length() == 10 && last ? "0123456789X" : "0123456789";
    for (int i = 0; i < candidates.length(); i++) {
        if (valid(isbn.replace('?', candidates.charAt(i)))) return i;
    }
    return -1;
}

private static boolean valid(String isbn) {
    int sum = 0;
    for (int i = 0; i < isbn.length(); i++) {
        char c = isbn.charAt(i);
        int value = c == 'X' ? 10 : c - '0';
        if (isbn.length() == 10) sum += value * (10 - i);
        else sum += i % 2 == 0 ? value : 3 * value;
    }
    return sum % (isbn.length() == 10 ? 11 : 10) == 0;
}
