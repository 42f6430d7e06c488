int decode(int g) {
    g ^= g >>> 16;
    g ^= g >>> 8;
    g ^= g >>> 4;
    g ^= g >>> 2;
    g ^= g >>> 1;
    return g;
}
