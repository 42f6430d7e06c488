from fractions import Fraction


def total(fractions):
    result = sum((Fraction(n, d) for n, d in fractions if d), Fraction(0))
    return [result.numerator, result.denominator]
