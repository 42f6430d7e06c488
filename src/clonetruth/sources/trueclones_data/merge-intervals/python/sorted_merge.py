def merge(ranges):
    merged = []
    for low, high in sorted(sorted(pair) for pair in ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    return merged
