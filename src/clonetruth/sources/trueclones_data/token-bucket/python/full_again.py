def tokens_left(capacity, interval, times):
    """Keeps only the number of the refill at which the bucket will be full again."""
    full_at = 0
    out = []
    for refill in (t // interval for t in times):
        missing = max(full_at - refill, 0)
        if missing == capacity:
            out.append(-1)
            continue
        full_at = refill + missing + 1
        out.append(capacity - missing - 1)
    return out
