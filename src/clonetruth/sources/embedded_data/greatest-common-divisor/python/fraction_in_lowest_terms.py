from fractions import Fraction


def common_measure(p, q):
    # a fraction in lowest terms has been divided by the gcd of its terms
    if p == 0 or q == 0:
        return max(p, q)
    reduced = Fraction(p, q)
    return p // reduced.numerator
