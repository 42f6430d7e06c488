def json_string(value):
    """Works on the code units of UTF-16, so that surrogates need no care."""
    data = value.encode("utf-16-be")
    units = [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]
    return '"%s"' % "".join(map(unit_text, units))


def unit_text(unit):
    short = {8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\"}
    if unit in short:
        return "\\" + short[unit]
    if unit < 0x20 or unit > 0x7E:
        return "\\u" + hex(0x10000 + unit)[3:]
    return chr(unit)
