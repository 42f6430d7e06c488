def luhn_ok(identifier):
    import re

    number = re.sub(" ", "", identifier)
    if re.fullmatch("[0-9][0-9]+", number) is None:
        return False
    doubling = str.maketrans("0123456789", "0246813579")
    even = len(number) % 2 == 0
    first, second = number[0::2], number[1::2]
    if even:
        first = first.translate(doubling)
    else:
        second = second.translate(doubling)
    return sum(int(d) for d in first + second) % 10 == 0
