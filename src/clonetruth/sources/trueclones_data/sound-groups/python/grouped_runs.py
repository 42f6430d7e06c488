from itertools import groupby

TABLE = dict(zip("bfpvcgjkqsxzdtlmnr", "111122222222334556"))


def alike(names):
    def key(name):
        low = name.lower()
        sounding = [c for i, c in enumerate(low) if i == 0 or c not in ("h", "w")]
        runs = [digit for digit, _ in groupby(sounding, lambda c: TABLE.get(c, "."))]
        digits = [d for d in runs[1:] if d != "."]
        return low[0], digits[:3]

    keys = list(map(key, names))
    return [min(j for j in range(len(keys)) if keys[j] == mine) for mine in keys]
