import re


def satisfies(version, range_text):
    have = parse(version)
    if "||" in range_text:
        return any(holds(have, one) for one in range_text.split("||"))
    return any(holds(have, one) for one in range_text.split(" "))


def parse(text):
    return tuple(int(part) for part in text.split("."))


def holds(have, condition):
    sign, text = re.fullmatch(r"(\D*)(.*)", condition).groups()
    want = parse(text)
    if sign == ">=":
        return have >= want
    if sign == "<":
        return have < want
    if sign == "~":
        return have >= want and have[:2] == want[:2]
    if sign == "^":
        same = next((i for i, number in enumerate(want) if number), 2) + 1
        return have >= want and have[:same] == want[:same]
    return have == want
