static uint32_t times(uint32_t a, uint32_t b, uint32_t m) {
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        if (b & 1) sum = (sum + a) % m;
        a = (a << 1) % m;
    }
    return sum;
}

// Never needs more than 32 bits: all values are below 2^31.
int powmod(int base, int exponent, int modulus) {
    if (exponent == 0) return 1 % modulus;
    const uint32_t b = base % modulus;
    const uint32_t root = powmod(b, exponent / 2, modulus);
    const uint32_t square = times(root, root, modulus);
    return exponent % 2 ? times(square, b, modulus) : square;
}
