public static int crc8(int[] data) {
    int crc = 0;
    for (int b : data) {
        crc ^= b;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 0x80) != 0 ? (crc << 1) ^ 0x07 : crc << 1;
            crc &= 0xFF;
        }
    }
    return crc;
}
