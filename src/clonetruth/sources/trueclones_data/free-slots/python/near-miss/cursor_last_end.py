def free_times(busy, length):
    free, at = [], 0
    for start, end in sorted(b for b in busy if b[0] < b[1]) + [[24, 24]]:
        if start - at >= length:
            free.append([at, start])
        at = end
    return free
