#include <cstdint>

// Bit i of the number is the parity of the bits of the word from i on.
int rank(int word) {
    std::uint32_t number = 0;
    for (int i = 0; i < 30; ++i) {
        number |= static_cast<std::uint32_t>(__builtin_parity(word >> i)) << i;
    }
    return number;
}
