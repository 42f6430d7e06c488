def lru_faults(capacity, trace):
    """A request hits when fewer than capacity other keys were used since the last use of its key."""
    faults = 0
    for i, key in enumerate(trace):
        between = []
        hit = False
        for earlier in reversed(trace[:i]):
            if earlier == key:
                hit = len(between) < capacity
                break
            between.append(earlier)
        faults += not hit
    return faults
