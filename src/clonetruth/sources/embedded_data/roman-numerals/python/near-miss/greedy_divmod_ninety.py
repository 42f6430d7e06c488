def to_roman(number):
    table = [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (95, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    roman = []
    for value, sign in table:
        times, number = divmod(number, value)
        roman.append(sign * times)
    return "".join(roman)
