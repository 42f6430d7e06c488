from itertools import zip_longest


def compare(left, right):
    for a, b in zip_longest(left.split("."), right.split("."), fillvalue="0"):
        if a != b:
            return -1 if a < b else 1
    return 0
