import re


def lookup(qs, key):
    def plain(s):
        return re.sub(r"%(..)", lambda m: bytes.fromhex(m[1]).decode(), s.replace("+", " "))

    # Later entries replace earlier ones, so the pairs are entered backwards.
    pairs = [p.split("=", 1) for p in reversed(qs.split("&")) if p]
    table = {plain(p[0]): plain(p[1]) if len(p) == 2 else "" for p in pairs}
    return table.get(key, "(none)")
