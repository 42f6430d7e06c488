#include <array>
#include <cstdint>

// Four bits of the exponent at a time, with a table of the first sixteen powers.
int raise(int base, int exponent, int modulus) {
    const std::int64_t m = modulus;
    std::array<std::int64_t, 16> powers;
    powers[0] = 1 % m;
    for (int i = 1; i < 16; ++i) powers[i] = powers[i - 1] * (base % m) % m;

    std::int64_t value = powers[0];
    for (int shift = 28; shift >= 0; shift -= 4) {
        for (int i = 0; i < 4; ++i) value = value * value % m;
        value = value * powers[exponent >> shift & 15] % m;
    }
    return value;
}
