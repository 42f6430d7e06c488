def solve(isbn):
    size = len(isbn)
    modulus = 11 if size == 10 else 10
    weights = list(range(10, 0, -1)) if size == 10 else [1, 3] * 6 + [1]
    rest = 0
    for weight, c in zip(weights, isbn):
        if c == "?":
            unknown = weight
        elif c == "X":
            rest += weight * 0
        else:
            rest += weight * int(c)
    digit = -rest * pow(unknown, -1, modulus) % modulus
    if digit == 10 and unknown != 1:
        return -1
    return digit
