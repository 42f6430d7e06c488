def maximum_segment(xs):
    if len(xs) == 0:
        return 0

    def summary(lo, hi):
        """(total, best prefix, best suffix, best segment) of xs[lo:hi]."""
        if hi - lo == 1:
            return (xs[lo],) * 4
        mid = (lo + hi) // 2
        lt, lp, ls, lb = summary(lo, mid)
        rt, rp, rs, rb = summary(mid, hi)
        return lt + rt, max(lp, lt + rp), max(rs, ls + rt), max(lb, rb, ls + rp)

    return summary(0, len(xs))[3]
