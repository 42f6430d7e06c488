def missing_digit(isbn):
    for digit in range(11):
        if digit == 10 and not isbn.endswith("?") or digit == 10 and len(isbn) == 13:
            continue
        values = [digit if c == "?" else 10 if c == "X" else int(c) for c in isbn]
        if valid(values):
            return digit
    return -1


def valid(values):
    if len(values) == 10:
        return sum((10 - i) * value for i, value in enumerate(values)) % 11 == 0
    return sum(value * (3 if i % 2 else 1) for i, value in enumerate(values)) % 10 == 0
