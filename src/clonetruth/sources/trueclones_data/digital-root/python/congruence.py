from itertools import count


def persistence(value, base):
    """The root follows from the remainder by base - 1; only the additions are counted by hand."""
    root = 0 if value == 0 else 1 + (value - 1) % (base - 1)
    for steps in count():
        if value < base:
            return [root, steps]
        powers, rest = [], value
        while rest:
            rest, digit = divmod(rest, base)
            powers.append(digit)
        value = sum(powers)
