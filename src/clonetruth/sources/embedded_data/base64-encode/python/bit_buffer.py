def encode(values):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    out = []
    buffer = pending = 0
    for value in values:
        buffer = buffer << 8 | value
        pending += 8
        while pending >= 6:
            pending -= 6
            out.append(alphabet[buffer >> pending])
            buffer &= (1 << pending) - 1
    if pending:
        out.append(alphabet[buffer << (6 - pending)])
    while len(out) % 4:
        out.append("=")
    return "".join(out)
