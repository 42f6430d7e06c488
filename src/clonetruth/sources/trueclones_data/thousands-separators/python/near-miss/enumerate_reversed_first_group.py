def punctuate(number, separator):
    text = ""
    for count, digit in enumerate(reversed(str(number).lstrip("-"))):
        text = digit + text
        if count and count % 3 == 2:
            text = separator + text
    return "-" + text if number < 0 else text
