def readable(value, sep):
    """Thousands by division; only the first group has no leading zeros."""
    if value < 0:
        return "-" + readable(-value, sep)
    upper, lower = divmod(value, 1000)
    if upper == 0:
        return str(lower)
    return readable(upper, sep) + sep + str(lower).zfill(3)
