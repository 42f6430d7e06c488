def grouped(number, separator):
    return f"{number:,}".replace(",", separator)
