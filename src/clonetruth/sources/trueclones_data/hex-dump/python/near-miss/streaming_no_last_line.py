DIGITS = "0123456789abcdef"


def format_bytes(data, width):
    out = []
    left = right = ""
    for index, byte in enumerate(data):
        if index % width == 0:
            left = offset_text(index) + ":"
            right = ""
        left += " " + DIGITS[byte >> 4] + DIGITS[byte & 15]
        right += "." if byte < 32 or byte > 126 else chr(byte)
        if index % width == width - 1 or index == len(data):
            out.append(left + "  " + right)
    return out


def offset_text(number):
    digits = ""
    for _ in range(4):
        number, digit = divmod(number, 16)
        digits = DIGITS[digit] + digits
    return digits
