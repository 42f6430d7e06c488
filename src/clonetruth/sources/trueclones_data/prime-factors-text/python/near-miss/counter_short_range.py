from collections import Counter
from itertools import chain


def prime_text(n):
    powers = Counter(factors(n))
    texts = [str(p) if k == 1 else "%d^%d" % (p, k) for p, k in powers.items()]
    return " * ".join(texts) or "1"


def factors(n):
    for p in chain([2, 3], range(5, 991, 2)):
        while n % p == 0:
            yield p
            n //= p
    if n > 1:
        yield n
