UNITS = (("thousand", 1000), ("hundred", 100))
CARDINAL = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
TENS = {20: "twent", 30: "thirt", 40: "fort", 50: "fift", 60: "sixt", 70: "sevent", 80: "eight", 90: "ninet"}
FINAL = dict(enumerate(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth".split(), start=1))


def spell(n):
    """Only the part that comes last uses the ordinal forms."""
    for name, size in UNITS:
        if n >= size:
            count, rest = divmod(n, size)
            front = CARDINAL[count] + " " + name
            return front if rest == 0 else front + " " + spell(rest)
    if n in FINAL:
        return FINAL[n]
    tens = n - n % 10
    return TENS[tens] + "ieth" if n == tens else TENS[tens] + "y-" + FINAL[n % 10]
