def raised(base, exponent, modulus):
    if exponent == 0:
        return min(1, base) % modulus
    half = raised(base, exponent // 2, modulus)
    squared = half * half
    if exponent % 2:
        squared *= base
    return squared % modulus
