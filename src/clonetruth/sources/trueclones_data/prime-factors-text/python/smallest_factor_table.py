def decomposition(value):
    """Recursive: split off the smallest factor with all its powers."""
    factor = next((d for d in range(2, int(value**0.5) + 1) if value % d == 0), value)
    rest, power = value, 0
    while factor > 1 and rest % factor == 0:
        rest //= factor
        power += 1
    text = str(factor) + (f"^{power}" if power > 1 else "")
    return text if rest == 1 or factor == 1 else text + " * " + decomposition(rest)
