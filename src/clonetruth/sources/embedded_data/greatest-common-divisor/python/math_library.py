def hcf(*numbers):
    import functools
    import math

    return functools.reduce(math.gcd, numbers, 0)
