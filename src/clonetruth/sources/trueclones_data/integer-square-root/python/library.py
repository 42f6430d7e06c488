import math


def isqrt(number):
    return math.isqrt(number)
