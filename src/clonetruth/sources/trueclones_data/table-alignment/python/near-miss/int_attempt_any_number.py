def render(rows):
    columns = list(map(list, zip(*rows)))
    widths = [max(map(len, column)) for column in columns]
    pads = [str.rjust if any(map(whole, column)) else str.ljust for column in columns]
    out = []
    for row in rows:
        cells = (pad(cell, width) for pad, cell, width in zip(pads, row, widths))
        out.append(" | ".join(cells).rstrip())
    return out


def whole(cell):
    # int() would also accept spaces, underscores and a plus sign
    if set(cell) - set("-0123456789"):
        return False
    try:
        int(cell)
    except ValueError:
        return False
    return True
