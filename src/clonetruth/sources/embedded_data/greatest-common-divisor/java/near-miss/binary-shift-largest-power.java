/** Stein's method: halving and subtracting, no division at all. */
static int binaryGcd(int u, int v) {
    if (u == 0 || v == 0) {
        return u | v;
    }
    int shift = Math.max(Integer.numberOfTrailingZeros(u), Integer.numberOfTrailingZeros(v));
    u >>= Integer.numberOfTrailingZeros(u);
    do {
        v >>= Integer.numberOfTrailingZeros(v);
        if (u > v) {
            int swap = u;
            u = v;
            v = swap;
        }
        v -= u;
    } while (v > 0);
    return u << shift;
}
