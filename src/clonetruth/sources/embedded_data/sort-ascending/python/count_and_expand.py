def tally_sort(xs):
    from collections import Counter

    tally = Counter(xs)
    lowest = min(tally, default=0)
    highest = max(tally, default=-1)
    out = []
    for x in range(lowest, highest + 1):
        out.extend([x] * tally[x])
    return out
