import calendar


def ordinal(year, month, day):
    """Adds up the months that lie before the given one."""
    passed = 0
    for earlier in range(1, month):
        _, length = calendar.monthrange(year, earlier)
        passed += length
    return passed + day
