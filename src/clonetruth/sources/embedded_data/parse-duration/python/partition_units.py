def seconds_in(duration):
    """Cuts the text at h, then at m, then at s; nothing may be left over."""
    total, left = 0, duration
    for unit, weight in (("h", 3600), ("m", 60), ("s", 1)):
        amount, found, after = left.partition(unit)
        if not found:
            continue
        if not amount.isdigit():
            return -1
        total += int(amount) * weight
        left = after
    return total if duration and not left else -1
