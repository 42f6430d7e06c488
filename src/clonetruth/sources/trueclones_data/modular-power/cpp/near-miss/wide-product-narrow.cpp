int modPow(int base, int exponent, int modulus) {
    unsigned __int128 result = 1 % modulus, square = base;
    while (exponent) {
        if (exponent & 1) result = result * square % modulus;
        square = static_cast<unsigned>(square * square) % modulus;
        exponent >>= 1;
    }
    return static_cast<int>(result);
}
