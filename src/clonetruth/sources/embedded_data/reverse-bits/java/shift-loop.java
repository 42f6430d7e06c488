public static long reverse(long word) {
    long result = 0;
    for (int bit = 0; bit < 32; bit++) {
        result = (result << 1) | (word & 1);
        word >>>= 1;
    }
    return result;
}
