from functools import cmp_to_key
from itertools import takewhile


def sort_names(names):
    return sorted(names, key=cmp_to_key(compare))


def compare(a, b):
    while a and b:
        if a[0].isdigit() and b[0].isdigit():
            run_a = "".join(takewhile(str.isdigit, a))
            run_b = "".join(takewhile(str.isdigit, b))
            if int(run_a) != int(run_b):
                return int(run_a) - int(run_b)
            a, b = a[len(run_a) :], b[len(run_b) :]
        elif a[0] != b[0]:
            # digits stand before letters in ASCII
            return -1 if a[0] < b[0] else 1
        else:
            a, b = a[1:], b[1:]
    return len(a) - len(b)
