def max_subarray(values):
    best = current = None
    for value in values:
        if current is None or current < 0:
            current = value
        else:
            current += value
        if best is None or current > best:
            best = current
    return 0 if best is None else best
