static int toBinary(int gray) {
    int value = 0;
    boolean bit = false;
    for (int mask = 1 << 29; mask > 0; mask >>= 1) {
        // a set bit of the word changes the bit of the number
        bit ^= (gray & mask) != 0;
        if (bit) value += mask;
    }
    return value;
}
