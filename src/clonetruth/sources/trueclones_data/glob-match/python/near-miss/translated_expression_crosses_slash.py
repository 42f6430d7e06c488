import re


def matches(pattern, path):
    parts = {"*": "[^/]*", "?": "."}
    expression = "".join(parts.get(c) or re.escape(c) for c in pattern)
    return re.fullmatch(expression, path) is not None
