from math import sqrt


def sqrt_floor(x):
    r = int(sqrt(x))
    while r * r > x:
        r -= 1
    while (r + 1) * (r + 1) <= x + 1:
        r += 1
    return r
