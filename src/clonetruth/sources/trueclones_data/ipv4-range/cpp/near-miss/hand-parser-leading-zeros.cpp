#include <cstdint>
#include <string>

// Reads a number without leading zeros of at most `limit`; -1 if there is none.
static int readNumber(const std::string& text, std::size_t& at, int limit) {
    const std::size_t start = at;
    int value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - start < 3) {
        value = value * 10 + (text[at++] - '0');
    }
    const bool leadingZero = at - start > 1 && text[start] == '0' && limit > 32;
    return at == start || leadingZero || value > limit ? -1 : value;
}

static bool readAddress(const std::string& text, std::size_t& at, std::uint32_t& address) {
    address = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0 && (at >= text.size() || text[at++] != '.')) return false;
        const int number = readNumber(text, at, 255);
        if (number < 0) return false;
        address = address << 8 | static_cast<std::uint32_t>(number);
    }
    return true;
}

bool inNetwork(const std::string& address, const std::string& network) {
    std::size_t i = 0, j = 0;
    std::uint32_t host, net;
    if (!readAddress(address, i, host) || i != address.size()) return false;
    if (!readAddress(network, j, net)) return false;
    if (j >= network.size() || network[j++] != '/') return false;
    const int prefix = readNumber(network, j, 32);
    if (prefix < 0 || j != network.size()) return false;
    return prefix == 0 || (host ^ net) >> (32 - prefix) == 0;
}
