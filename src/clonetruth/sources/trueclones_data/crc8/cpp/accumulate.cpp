#include <numeric>
#include <vector>

static int addByte(int crc, int byte) {
    int value = crc ^ byte;
    // multiply by x, eight times
    for (int i = 0; i < 8; i++) value = value * 2 ^ (value > 127 ? 0x107 : 0);
    return value;
}

int crcOf(std::vector<int> data) {
    return std::accumulate(data.begin(), data.end(), 0, addByte);
}
