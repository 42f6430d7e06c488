from itertools import zip_longest


def compare(left, right):
    for a, b in zip_longest(left.split("."), right.split("."), fillvalue="0"):
        if int(a) != int(b):
            return -1 if int(a) < int(b) else 1
    return 0
