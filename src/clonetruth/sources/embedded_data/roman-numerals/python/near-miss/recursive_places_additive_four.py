def numeral(value, letters="IVXLCDM"):
    if value == 0:
        return ""
    rest, digit = divmod(value, 10)
    one = letters[0]
    if digit == 9:
        here = one + letters[2]
    elif digit >= 5:
        here = letters[1] + one * (digit - 5)
    elif digit == 5:
        here = one + letters[1]
    else:
        here = one * digit
    return numeral(rest, letters[2:]) + here
