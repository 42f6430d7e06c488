def bankers(amount):
    sign = "-" if amount.startswith("-") else ""
    whole, _, fraction = amount.lstrip("-").partition(".")
    # everything in units of 0.00001
    units = int(whole + fraction.ljust(5, "0"))
    cents, rest = divmod(units, 1000)
    if rest > 500 or (rest == 500 and cents % 2 == 0):
        cents += 1
    if cents == 0:
        sign = ""
    return f"{sign}{cents // 100}.{cents % 100:02d}"
