def simplify(intervals):
    """Inserts one range after the other into a list of disjoint ones."""
    disjoint = []
    for start, end in intervals:
        if end < start:
            start, end = end, start
        before = [r for r in disjoint if r[1] < start - 1]
        after = [r for r in disjoint if r[0] > end + 1]
        touched = disjoint[len(before) : len(disjoint) - len(after)]
        if touched:
            start = min(start, touched[0][0])
            end = max(end, touched[-1][1])
        disjoint = before + [[start, end]] + after
    return disjoint
