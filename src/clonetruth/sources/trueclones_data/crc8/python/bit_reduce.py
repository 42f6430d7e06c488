from functools import reduce


def crc(octets):
    bits = "".join(format(octet, "08b") for octet in octets)

    def shift(register, bit):
        out = (register >> 7) ^ int(bit)
        return (register << 1 & 0xFF) ^ (7 * out)

    return reduce(shift, bits, 0)
