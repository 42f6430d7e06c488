def unpack_bits(data):
    output = []
    copies = 0  # bytes that are still to be copied
    repeats = 0  # how often the next byte is to be written
    for byte in data:
        if copies:
            output.append(byte)
            copies -= 1
        elif repeats:
            output.extend([byte] * repeats)
            repeats = 0
        elif byte < 128:
            copies = byte + 1
        elif byte != 128:
            repeats = 257 - byte
    if copies:
        return [-1]
    return output
