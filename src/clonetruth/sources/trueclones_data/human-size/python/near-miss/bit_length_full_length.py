def readable(n):
    """Ten bits of the number for each unit."""
    step = max(0, (n.bit_length() - 0) // 10)
    whole = n >> 10 * step
    fraction = n & (1 << 10 * step) - 1
    digit = fraction * 10 >> 10 * step
    text = str(whole)
    if digit:
        text += "." + str(digit)
    return text + " " + ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][step]
