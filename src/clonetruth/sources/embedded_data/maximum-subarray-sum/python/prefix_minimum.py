def best_gain(deltas):
    from itertools import accumulate

    if not deltas:
        return 0
    totals = list(accumulate(deltas))
    lows = accumulate([0] + totals[:-1], min)
    return max(total - low for total, low in zip(totals, lows))
