def expand(data):
    blocks = read_blocks(data)
    return [-1] if blocks is None else [byte for block in blocks for byte in block]


def read_blocks(data):
    if not data:
        return []
    head, rest = data[0], data[1:]
    if head == 128:
        return read_blocks(rest)
    used = 1 if head > 128 else head + 1
    if len(rest) < used:
        return None
    block = rest[:used] * (1 if head < 128 else 257 - head)
    following = read_blocks(rest[used:])
    return None if following is None else [block, *following]
