HEX = "0123456789abcdef"


def unquote(text):
    lines = [line.rstrip(" ") for line in text.split("\n")]
    head, *parts = "\n".join(lines).split("=")
    out = list(head.encode("ascii"))
    for part in parts:
        if part.startswith("\n"):
            rest = part[1:]
        elif len(part) > 1 and all(c.lower() in HEX for c in part[:2]):
            out.append(HEX.index(part[0].lower()) * 16 + HEX.index(part[1].lower()))
            rest = part[2:]
        else:
            rest = part
        out.extend(rest.encode("ascii"))
    return out
