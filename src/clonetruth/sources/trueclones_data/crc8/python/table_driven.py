from functools import cache


def checksum(data):
    remainder = 0
    table = crc_table()
    for byte in data:
        remainder = table[remainder ^ byte]
    return remainder


@cache
def crc_table():
    def entry(value):
        for _ in range(8):
            value = (value << 1) ^ (0x07 if value & 0x80 else 0)
        return value & 0xFF

    return [entry(value) for value in range(256)]
