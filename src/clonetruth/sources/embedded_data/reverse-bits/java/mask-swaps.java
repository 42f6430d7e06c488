static long mirrorBits(long v) {
    v = ((v >>> 1) & 0x55555555L) | ((v & 0x55555555L) << 1);    // single bits
    v = ((v >>> 2) & 0x33333333L) | ((v & 0x33333333L) << 2);    // pairs
    v = ((v >>> 4) & 0x0F0F0F0FL) | ((v & 0x0F0F0F0FL) << 4);    // nibbles
    v = ((v >>> 8) & 0x00FF00FFL) | ((v & 0x00FF00FFL) << 8);    // bytes
    return (v >>> 16) | ((v & 0xFFFFL) << 16);
}
