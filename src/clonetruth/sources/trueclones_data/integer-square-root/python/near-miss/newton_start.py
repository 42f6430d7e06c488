def integer_root(n):
    if n < 2:
        return n
    guess = 1 << n.bit_length() // 2
    while True:
        better = (guess + n // guess) // 2
        if better >= guess:
            return guess
        guess = better
