#include <bitset>

int toBinary(int word) {
    std::bitset<31> gray(word), plain;
    bool parity = false;
    for (int bit = 30; bit >= 0; --bit) {
        parity = parity != gray[bit];
        plain[bit] = parity;
    }
    return static_cast<int>(plain.to_ulong());
}
