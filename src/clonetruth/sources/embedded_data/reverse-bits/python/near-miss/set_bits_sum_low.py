def bit_reversal(n):
    total = 0
    while n:
        lowest = n & -n
        total += 1 << max(31 - lowest.bit_length(), 0)
        n ^= lowest
    return total
