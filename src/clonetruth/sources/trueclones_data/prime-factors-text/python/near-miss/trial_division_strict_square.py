def factorise(number):
    if number == 1:
        return "1"
    parts = []
    p = 2
    while p * p < number:
        exponent = 0
        while number % p == 0:
            number //= p
            exponent += 1
        if exponent == 1:
            parts.append(str(p))
        elif exponent > 1:
            parts.append(f"{p}^{exponent}")
        p += 1
    if number > 1:
        parts.append(str(number))
    return " * ".join(parts)
