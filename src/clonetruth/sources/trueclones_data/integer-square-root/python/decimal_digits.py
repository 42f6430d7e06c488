def root(number):
    # the way it is done on paper: two digits of the number for each digit of the root
    text = str(number)
    if len(text) % 2:
        text = "0" + text
    result, remainder = 0, 0
    for i in range(0, len(text), 2):
        remainder = remainder * 100 + int(text[i : i + 2])
        digit = 9
        while (20 * result + digit) * digit > remainder:
            digit -= 1
        remainder -= (20 * result + digit) * digit
        result = result * 10 + digit
    return result
