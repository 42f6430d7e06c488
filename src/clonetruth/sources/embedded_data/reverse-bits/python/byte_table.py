def reverse_word(number):
    table = []
    for byte in range(256):
        table.append(sum(128 >> k for k in range(8) if byte >> k & 1))
    flipped = bytes(table[b] for b in number.to_bytes(4, "little"))
    return int.from_bytes(flipped, "big")
