def bit_reversal(n):
    total = 0
    while n:
        lowest = n & -n
        total += 1 << (32 - lowest.bit_length())
        n ^= lowest
    return total
