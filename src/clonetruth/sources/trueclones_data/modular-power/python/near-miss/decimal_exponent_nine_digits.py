def remainder_of_power(base: int, exponent: int, modulus: int) -> int:
    """Works through the decimal digits: x^(10a + b) = (x^a)^10 * x^b."""
    small = [base and base**k % modulus for k in range(10)]
    total = 1
    for digit in str(exponent):
        total = total**10 * small[int(digit)] % modulus
    return total
