import re


def semver_cmp(v, w):
    pattern = r"(\d+\.\d+\.\d+)(-[\w.-]+)?(\+[\w.-]+)?"
    found = [re.fullmatch(pattern, text, re.ASCII) for text in (v, w)]
    for match in found:
        if match is None or not valid(*match.groups()):
            return -2
    (core_v, pre_v, _), (core_w, pre_w, _) = (match.groups() for match in found)
    first = compare_lists(core_v.split("."), core_w.split("."))
    if first or pre_v == pre_w:
        return first
    if pre_v is None or pre_w is None:
        return 1 if pre_v is None else -1
    return compare_lists(pre_v[1:].split("."), pre_w[1:].split("."))


def valid(core, pre, build):
    names = [*core.split("."), *(pre[1:].split(".") if pre else [])]
    others = build[1:].split(".") if build else []
    if "" in names + others:
        return False
    return not any(re.fullmatch(r"0\d+", name) for name in names)


def compare_lists(xs, ys):
    if not xs or not ys:
        return (len(xs) > 0) - (len(ys) > 0)
    x, y = xs[0], ys[0]
    if x == y:
        return compare_lists(xs[1:], ys[1:])
    if x.isdigit() and y.isdigit():
        return -1 if int(x) < int(y) else 1
    if x.isdigit() or y.isdigit():
        return -1 if x.isdigit() else 1
    return -1 if x < y else 1
