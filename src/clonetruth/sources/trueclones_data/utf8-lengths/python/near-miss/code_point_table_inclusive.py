BOUNDS = (0x80, 0x800, 0x10000, 0x110000)


def truncate(s, n_bytes):
    used = 0
    for index, ch in enumerate(s):
        width = 1
        while ord(ch) > BOUNDS[width - 1]:
            width += 1
        used += width
        if used > n_bytes:
            return s[:index]
    return s
