from fractions import Fraction


def rounded(text):
    """The built-in round takes halves of a fraction to the even number."""
    cents = round(Fraction(float(text)) * 100)
    digits = str(abs(cents)).rjust(3, "0")
    return ("-" if cents < 0 else "") + digits[:-2] + "." + digits[-2:]
