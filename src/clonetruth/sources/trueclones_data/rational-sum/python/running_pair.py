from math import gcd


def add_up(pairs):
    top, bottom = 0, 1
    for numerator, denominator in pairs:
        if denominator == 0:
            continue
        top = top * denominator + numerator * bottom
        bottom *= denominator
        divisor = gcd(top, bottom)
        top, bottom = top // divisor, bottom // divisor
    if bottom < 0:
        return [-top, -bottom]
    return [top, bottom]
