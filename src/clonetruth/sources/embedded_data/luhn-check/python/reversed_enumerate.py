def luhn(text):
    digits = text.replace(" ", "")
    if len(digits) < 2 or not digits.isdigit():
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2 == 1:
            value *= 2
            if value > 9:
                value -= 9
        total += value
    return total % 10 == 0
