import re


def selected(spec, lo, hi):
    items = spec.split(",")
    return [n for n in range(lo, hi + 1) if any(covers(item, n, lo) for item in items)]


def covers(item, n, lo):
    if m := re.fullmatch(r"(\d+)-(\d+)(?:/(\d+))?", item):
        a, b = int(m[1]), int(m[2])
        return a <= n <= b and (n - a) % int(m[3] or 1) == 0
    if m := re.fullmatch(r"\*(?:/(\d+))?", item):
        return n % int(m[1] or 1) == 0
    return n == int(item)
