from fractions import Fraction
from math import floor


def format_size(count):
    amount = Fraction(count)
    unit = "B"
    for larger in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        if amount < 1024:
            break
        amount /= 1024
        unit = larger
    if unit == "B":
        return f"{count} B"
    cut = Fraction(floor(amount * 10), 10)
    return f"{cut.numerator if cut.numerator == 0 else float(cut)} {unit}"
