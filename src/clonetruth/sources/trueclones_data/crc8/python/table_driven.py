def _entry(value):
    for _ in range(8):
        value = (value << 1) ^ (0x07 if value & 0x80 else 0)
    return value & 0xFF


TABLE = [_entry(value) for value in range(256)]


def checksum(data):
    remainder = 0
    for byte in data:
        remainder = TABLE[remainder ^ byte]
    return remainder
