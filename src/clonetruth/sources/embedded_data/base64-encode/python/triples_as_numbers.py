def radix64(sequence):
    upper = "".join(map(chr, range(65, 91)))
    table = upper + upper.lower() + "0123456789" + "+" + "/"
    text = ""
    for at in range(0, len(sequence), 3):
        chunk = bytes(sequence[at : at + 3])
        lack = 3 - len(chunk)
        number = int.from_bytes(chunk + bytes(lack), "big")
        quad = ""
        for _ in range(4):
            number, digit = divmod(number, 64)
            quad = table[digit] + quad
        text += quad[: 4 - lack] + "=" * lack
    return text
