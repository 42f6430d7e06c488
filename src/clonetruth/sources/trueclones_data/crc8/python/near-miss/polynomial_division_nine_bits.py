def remainder(message):
    """Long division of one big number by the polynomial 0x107."""
    number = int.from_bytes(bytes(message), "big") << 8
    while number.bit_length() > 9:
        number ^= 0x107 << (number.bit_length() - 9)
    return number
