#include <vector>

// Half a byte at a time, with a table of sixteen entries.
int crcOfBytes(const std::vector<int>& data) {
    static const unsigned char table[16] = {
        0x00, 0x07, 0x0e, 0x09, 0x1c, 0x1b, 0x12, 0x15, 0x38, 0x3f, 0x36, 0x31, 0x24, 0x23, 0x2d, 0x2a,
    };
    unsigned crc = 0;
    for (const int byte : data) {
        for (const int nibble : {byte >> 4, byte & 15}) {
            crc = (crc << 4 & 0xf0) ^ table[crc >> 4 ^ nibble];
        }
    }
    return crc;
}
