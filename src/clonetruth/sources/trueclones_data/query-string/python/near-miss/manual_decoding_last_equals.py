def get_parameter(query, wanted):
    for pair in query.split("&"):
        if not pair:
            continue
        name, _, value = pair.rpartition("=")
        if decode(name) == wanted:
            return decode(value)
    return "(none)"


def decode(text):
    out = []
    i = 0
    while i < len(text):
        if text[i] == "%":
            out.append(chr(int(text[i + 1 : i + 3], 16)))
            i += 3
        else:
            out.append(" " if text[i] == "+" else text[i])
            i += 1
    return "".join(out)
