def gcd(a, b):
    """Greatest common divisor of two non-negative integers."""
    if b == 0:
        return a
    return gcd(b, a % b)
