static String human(long n) {
    return n < 1024 ? n + " B" : scaled(n, 0);
}

private static String scaled(long n, int index) {
    // ten more bits are kept for the fraction
    long next = n >> 10;
    if (next < 1024 || index == 4) {
        long digit = (n & 1023) * 10 >> 10;
        return next + (digit > 0 ? "." + digit : "") + " " + "KMGTP".charAt(index) + "iB";
    }
    return scaled(next, index + 1);
}
