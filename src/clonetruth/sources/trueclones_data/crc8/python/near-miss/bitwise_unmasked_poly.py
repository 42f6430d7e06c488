def crc8(data):
    crc = 0
    for byte in data:
        for _ in range(8):
            if crc & 0x80:
                crc = (crc << 1) ^ 0x107
            else:
                crc <<= 1
        crc ^= byte
    return crc
