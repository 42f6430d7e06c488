def position_of(values, x):
    """Adds ever smaller powers of two to the number of elements known to be below x."""
    below = 0
    jump = 1 << len(values).bit_length()
    while jump:
        if below + jump <= len(values) and values[below + jump - 1] < x:
            below += jump
        jump >>= 1
    return below
