UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def human(size):
    power = 0
    while size >= 1024 ** (power + 1) and power < 5:
        power += 1
    tenths = size * 10 // 1024**power
    whole, rest = divmod(tenths, 10)
    if power == 0 or rest == 0:
        return f"{whole} {UNITS[power]}"
    return f"{whole}.{rest} {UNITS[power]}"
