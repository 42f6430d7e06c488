// One lookup per byte; the table is filled at compile time.
struct Crc8Table {
    unsigned char entry[256];

    constexpr Crc8Table() : entry() {
        for (int i = 0; i < 256; ++i) {
            unsigned value = i;
            for (int round = 8; round-- > 0;) {
                value <<= 1;
                if (value & 0x80) {
                    value ^= 0x107;
                }
            }
            entry[i] = static_cast<unsigned char>(value);
        }
    }
};

int crc8(const std::vector<int>& data) {
    static constexpr Crc8Table table;
    unsigned char crc = 0;
    for (int byte : data) {
        crc = table.entry[crc ^ byte];
    }
    return crc;
}
