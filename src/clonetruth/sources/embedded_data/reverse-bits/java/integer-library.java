long flip(long value) {
    int bits = (int) value;
    int reversed = Integer.reverse(bits);
    return Integer.toUnsignedLong(reversed);
}
