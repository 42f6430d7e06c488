static String human(long n) {
    return n < 1024 ? n + " B" : scaled(n, 1);
}

private static String scaled(long n, int index) {
    int shift = 10 * index;
    long whole = n >> shift;
    if (whole < 1024 || index == 5) {
        long fraction = n - (whole << shift) >> shift - 10;
        long digit = fraction * 10 >> 10;
        return whole + (digit > 0 ? "." + digit : "") + " " + "KMGTP".charAt(index - 1) + "iB";
    }
    return scaled(n, index + 1);
}
