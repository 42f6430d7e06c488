def parse(numeral):
    rest, total = numeral, 0
    for unit, (one, five, ten) in ((1000, "M  "), (100, "CDM"), (10, "XLC"), (1, "IVX")):
        digits = [one + ten, one + five, five + 3 * one, five + 2 * one, five + one, five, 3 * one, 2 * one, one]
        for digit, letters in zip((1, 9, 4, 8, 7, 6, 5, 3, 2), digits[-1:] + digits[:-1]):
            if rest.startswith(letters):
                rest = rest[len(letters):]
                total += digit * unit
                break
    if rest or total == 0:
        return -1
    return total
