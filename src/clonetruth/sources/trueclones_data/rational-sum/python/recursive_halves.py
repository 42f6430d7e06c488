def fold(fractions):
    if not fractions:
        return [0, 1]
    if len(fractions) > 1:
        middle = len(fractions) // 2
        (a, b), (c, d) = fold(fractions[:middle]), fold(fractions[middle:])
        return reduced(a * d + c * b, b * d)
    ((a, b),) = fractions
    return reduced(a, b) if b else [0, 1]


def reduced(n, d):
    x, y = abs(n), abs(d)
    while y:
        x, y = y, x % y
    sign = -1 if d < 0 else 1
    return [sign * n // x, sign * d // x]
