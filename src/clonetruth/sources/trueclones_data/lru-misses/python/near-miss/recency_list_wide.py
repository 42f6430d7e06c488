def misses(size, keys):
    recent = []  # most recent first
    missed = 0
    for key in keys:
        if key in recent:
            recent.remove(key)
        else:
            missed += 1
        recent.insert(0, key)
        del recent[size + 1:]
    return missed
