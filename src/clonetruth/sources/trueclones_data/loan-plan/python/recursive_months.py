from fractions import Fraction
from math import floor


def schedule(amount, rate, payment, months=12):
    if months == 0:
        return []
    exact = Fraction(amount * rate, 12 * 100 * 100)
    owed = amount + floor(exact + Fraction(1, 2))
    if owed <= payment:
        return [0]
    return [owed - payment] + schedule(owed - payment, rate, payment, months - 1)
