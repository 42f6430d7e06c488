import re


def in_words(n):
    text = cardinal(n)
    for pattern, ending in [
        (r"one$", "first"),
        (r"two$", "second"),
        (r"three$", "third"),
        (r"ive$", "ifth"),
        (r"eight$", "eighth"),
        (r"nine$", "ninth"),
        (r"y$", "ieth"),
    ]:
        text, changed = re.subn(pattern, ending, text)
        if changed:
            return text
    return text + "th"


def cardinal(n):
    small = [
        "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    if n < 20:
        return small[n]
    if n < 100:
        tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"][n // 10 - 2]
        return f"{tens}-{small[n % 10]}".rstrip("-")
    unit, name = (1000, "thousand") if n >= 1000 else (100, "hundred")
    return f"{small[n // unit]} {name} {cardinal(n % unit)}".strip()
