from math import gcd, lcm


def sum_of(items):
    """Everything over the least common multiple, reduced once at the end."""
    usable = [(a, b) for a, b in items if b != 0]
    common = lcm(*(b for _, b in usable))
    numerator = sum(a * (common // abs(b)) for a, b in usable)
    shared = gcd(numerator, common)
    return [numerator // shared, common // shared]
