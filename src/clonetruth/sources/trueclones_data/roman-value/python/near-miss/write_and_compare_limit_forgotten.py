def from_roman(text):
    """Reads generously, then checks that the number is written like this."""
    value = dict(I=1, V=5, X=10, L=50, C=100, D=500, M=1000)
    number, largest = 0, 0
    for letter in reversed(text):
        one = value[letter]
        number += -one if one < largest else one
        largest = max(largest, one)
    return number if 0 < number and write(number) == text else -1


def write(number):
    steps = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
             (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    out = ""
    for size, letters in steps:
        while number >= size:
            out, number = out + letters, number - size
    return out
