def parse(data):
    """One number from the front, then the rest in the same way."""
    if not data:
        return []
    length = 1
    while length <= len(data) and data[length - 1] & 0x80:
        length += 1
    if length > min(4, len(data)):
        return [-1]
    number = 0
    for byte in reversed(data[:length]):
        number = number * 128 + (byte & 0x7F)
    return [number] + parse(data[length:])
