from itertools import accumulate
from operator import xor


def decode(word):
    bits = [int(digit) for digit in bin(word)[2:]]
    return int("".join(map(str, accumulate(bits, xor))), 2)
