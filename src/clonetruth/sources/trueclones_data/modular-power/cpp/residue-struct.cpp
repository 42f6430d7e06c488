struct Residue {
    unsigned long long value, modulus;
    Residue operator*(const Residue &other) const { return {value * other.value % modulus, modulus}; }
};

int power(int base, int exponent, int modulus) {
    const unsigned long long m = modulus;
    const Residue factor{base % m, m};
    Residue result{1 % m, m};
    // from the highest bit of the exponent down
    for (unsigned mask = 1u << 30; mask; mask >>= 1) {
        result = result * result;
        if (exponent & mask) result = result * factor;
    }
    return static_cast<int>(result.value);
}
