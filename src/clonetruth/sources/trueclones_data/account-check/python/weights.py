from string import ascii_uppercase, digits

VALUES = {c: i for i, c in enumerate(digits + ascii_uppercase)}


def is_valid(account):
    """Adds the weight of each place from the right; powers of ten modulo 97."""
    plain = "".join(account.split(" "))
    country, check, rest = plain[:2], plain[2:4], plain[4:]
    well_formed = (
        len(country) == 2
        and all(c in ascii_uppercase for c in country)
        and len(check) == 2
        and all(c in digits for c in check)
        and 1 <= len(rest) <= 20
        and all(c in VALUES for c in rest)
    )
    if not well_formed:
        return False
    total, weight = 0, 1
    for c in reversed(rest + country + check):
        total += weight * VALUES[c]
        weight = weight * (100 if c in ascii_uppercase else 10) % 97
    return total % 97 == 1
