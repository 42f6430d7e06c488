def power(base, exponent, modulus):
    return pow(base, exponent, modulus)
