import re


def in_network(address, network):
    base, _, prefix = network.partition("/")
    if not re.fullmatch(r"[12]?\d|3[0-2]", prefix) or (len(prefix) == 2 and prefix[0] == "0"):
        return False
    a, b = number(address), number(base)
    if a is None or b is None:
        return False
    shift = 32 - int(prefix)
    return a >> shift == b >> shift


def number(text):
    parts = text.split(".")
    if len(parts) != 4:
        return None
    value = 0
    for part in parts:
        if not part.isdigit() or str(int(part)) != part or int(part) > 255:
            return None
        value = value * 256 + int(part)
    return value
