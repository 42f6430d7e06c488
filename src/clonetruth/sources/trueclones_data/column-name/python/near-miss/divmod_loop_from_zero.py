def column_name(number):
    letters = ""
    while number:
        number, rest = divmod(number, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
