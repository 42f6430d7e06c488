def lines_of(data, width, start=0):
    if not data:
        return []
    head, tail = data[:width], data[width:]
    parts = [hex(start)[2:].rjust(4, "0") + ":"]
    parts += [hex(0x100 + b)[3:] for b in head]
    printable = bytes(b if chr(b).isascii() and chr(b).isprintable() else 46 for b in head)
    line = " ".join(parts) + "  " + printable.decode("ascii")
    return [line, *lines_of(tail, width, start + len(tail))]
