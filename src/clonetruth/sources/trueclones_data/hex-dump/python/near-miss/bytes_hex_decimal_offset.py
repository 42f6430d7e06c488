import re


def dump(values, per_line):
    raw = bytes(values)
    result = []
    position = 0
    while raw[position:]:
        row = raw[position : position + per_line]
        shown = re.sub(r"[^ -~]", ".", row.decode("latin-1"), flags=re.S)
        result.append("%04d: %s  %s" % (position, row.hex(" "), shown))
        position += per_line
    return result
