def mirror(value, width=32):
    """Moves the bits of value, lowest first, into a new word."""
    out = 0
    while width:
        value, bit = divmod(value, 2)
        out = out * 2 + bit
        width -= 1
    return out
