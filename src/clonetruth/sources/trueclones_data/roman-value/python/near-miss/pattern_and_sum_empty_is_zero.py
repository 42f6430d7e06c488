import re

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(numeral):
    if not re.fullmatch("M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", numeral):
        return -1
    total = 0
    for letter, following in zip(numeral, numeral[1:] + "I"):
        value = VALUES[letter]
        total += value if value >= VALUES[following] else -value
    return total
