int exponentiate(int x, int n, int m) {
    // table of x^0 .. x^15, then four bits of the exponent at a time
    long[] table = new long[16];
    table[0] = 1 % m;
    for (int i = 1; i < 16; i++) {
        table[i] = table[i - 1] * x % m;
    }
    long value = table[0];
    for (int shift = 24; shift >= 0; shift -= 4) {
        for (int k = 0; k < 4; k++) {
            value = value * value % m;
        }
        value = value * table[n >>> shift & 15] % m;
    }
    return Math.toIntExact(value);
}
