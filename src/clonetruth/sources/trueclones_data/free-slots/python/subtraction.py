def available(busy, length):
    """Takes each busy time out of what is still free."""
    free = [(0, 24)]
    for start, end in busy:
        if start >= end:
            continue
        left = []
        for a, b in free:
            if a < min(b, start):
                left.append((a, min(b, start)))
            if max(a, end) < b:
                left.append((max(a, end), b))
        free = left
    return [list(slot) for slot in free if slot[1] - slot[0] >= length]
