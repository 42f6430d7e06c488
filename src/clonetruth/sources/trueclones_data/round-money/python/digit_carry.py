def format_amount(amount):
    negative = amount[0] == "-"
    whole, point, fraction = amount.strip("-").partition(".")
    fraction = fraction + "00"
    digits = [int(d) for d in whole + fraction[:2]]
    tail = fraction[2:].rstrip("0")
    up = tail > "5" or (tail == "5" and digits[-1] in (1, 3, 5, 7, 9))
    place = len(digits) - 1
    while up and place >= 0:
        digits[place] = (digits[place] + 1) % 10
        up = digits[place] == 0
        place -= 1
    if up:
        digits.insert(0, 1)
    text = "".join(map(str, digits))
    text = text[:-2].lstrip("0").rjust(1, "0") + "." + text[-2:]
    return "-" + text if negative and text != "0.00" else text
