int checksum(int[] data) {
    // remainders of the sixteen values of the upper half of a byte
    int[] table = {0x00, 0x07, 0x0E, 0x09, 0x1C, 0x1B, 0x12, 0x15, 0x38, 0x3F, 0x36, 0x31, 0x24, 0x23, 0x2D, 0x2A};
    int crc = 0;
    for (int value : data) {
        crc = (crc << 4 & 0xF0) ^ table[(crc >> 4) ^ (value >> 4)];
        crc = (crc << 4 & 0xF0) ^ table[(crc >> 4) ^ (value & 0x0F)];
    }
    return crc;
}
