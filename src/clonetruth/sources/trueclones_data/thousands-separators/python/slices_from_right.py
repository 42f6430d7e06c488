def group_digits(number, separator):
    digits = str(abs(number))
    groups = []
    while digits:
        groups.insert(0, digits[-3:])
        digits = digits[:-3]
    sign = "-" if number < 0 else ""
    return sign + separator.join(groups)
