def label(column):
    digits = []
    while column > 0:
        digits.append(column % 26)
        column //= 26
    # A digit 0 does not exist: it becomes 26, and the next place lends one.
    for place in range(len(digits) - 1):
        if digits[place] <= 0:
            digits[place] += 26
            digits[place + 1] -= 1
    if digits[-1] == 0:
        digits.pop()
    return bytes(64 + digit for digit in reversed(digits)).decode()
