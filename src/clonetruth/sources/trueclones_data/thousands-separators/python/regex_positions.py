import re


def with_separators(n, mark):
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", lambda _: mark, str(n))
