def shorten(text, limit):
    """Cuts the bytes and steps back over the continuation bytes of a broken character."""
    data = bytearray(text, "utf8")
    if len(data) < limit:
        return text
    end = min(limit, len(data) - 1)
    while end > 0 and data[end] & 0b11000000 == 0b10000000:
        end -= 1
    return data[:end].decode("utf8")
