def greatest_common_divisor(first: int, second: int) -> int:
    if not first or not second:
        return first + second
    shared = prime_multiset(first) & prime_multiset(second)
    result = 1
    for prime, times in shared.items():
        result *= prime**times
    return result


def prime_multiset(n: int):
    from collections import Counter

    primes = Counter()
    candidate = 2
    while candidate * candidate <= n:
        while n % candidate == 0:
            primes[candidate] += 1
            n //= candidate
        candidate += 1
    if n > 1:
        primes[n] += 1
    return primes
