import re

OCTET = r"(0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-4])"
QUAD = r"\.".join([OCTET] * 4)


def contains(address, network):
    match = re.fullmatch(f"{QUAD}#{QUAD}/(0|[1-9]|[12]\\d|3[012])", address + "#" + network)
    if match is None:
        return False
    numbers = list(map(int, match.groups()))
    bits = numbers[8]
    for left, right in zip(numbers[:4], numbers[4:8]):
        here = min(bits, 8)
        if left // 2 ** (8 - here) != right // 2 ** (8 - here):
            return False
        bits -= here
    return True
