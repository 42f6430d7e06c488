static bool bitAt(const std::vector<int>& bytes, std::size_t index) {
    return bytes[index / 8] >> (7 - index % 8) & 1;
}

// Feeds the message through a shift register of eight flip-flops with taps at 0, 1 and 2.
int checksum(std::vector<int> bytes) {
    std::bitset<8> reg;
    for (std::size_t i = 0; i < bytes.size() * 8; i++) {
        const bool feedback = reg[7] ^ bitAt(bytes, i);
        reg <<= 1;
        if (feedback) {
            reg.flip(0).flip(1).flip(2);
        }
    }
    return static_cast<int>(reg.to_ulong());
}
