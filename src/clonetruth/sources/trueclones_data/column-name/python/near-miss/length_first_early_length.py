from string import ascii_uppercase


def name_of(n):
    """Finds the length of the name, then writes the rank among the names of this length in base 26."""
    length, names = 1, 26
    while n >= names:
        n -= names
        length += 1
        names *= 26
    rank = n - 1
    return "".join(ascii_uppercase[rank // 26**place % 26] for place in reversed(range(length)))
