def punctuate(number, separator):
    text = ""
    for count, digit in enumerate(reversed(str(number).lstrip("-"))):
        if count and count % 3 == 0:
            text = separator + text
        text = digit + text
    return "-" + text if number < 0 else text
