import re

NUMBER = r"(?:0|[1-9][0-9]*)"
IDENTIFIER = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
VERSION = re.compile(
    rf"({NUMBER})\.({NUMBER})\.({NUMBER})(?:-({IDENTIFIER}(?:\.{IDENTIFIER})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)


def precedence(left, right):
    matches = VERSION.fullmatch(left), VERSION.fullmatch(right)
    if not all(matches):
        return -2
    a, b = (key(match) for match in matches)
    return (a > b) - (a < b)


def key(match):
    numbers = [int(match[i]) for i in (1, 2, 3)]
    if match[4] is None:
        return (numbers, 1, [])
    parts = [(0, int(p), "") if p == "0" else (1, 0, p) for p in match[4].split(".")]
    return (numbers, 0, parts)
