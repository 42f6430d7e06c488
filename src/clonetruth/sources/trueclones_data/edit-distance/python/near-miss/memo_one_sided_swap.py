from functools import lru_cache


@lru_cache(maxsize=None)
def osa(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return osa(a[1:], b[1:])
    options = [osa(a[1:], b), osa(a, b[1:]), osa(a[1:], b[1:])]
    if len(a) > 1 and len(b) > 1 and a[0] == b[1]:
        options.append(osa(a[2:], b[2:]))
    return 1 + min(options)
