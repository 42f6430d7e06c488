import re


def right(text):
    match = re.fullmatch("([A-Z][A-Z])([0-9][0-9])([A-Z0-9]{1,20})", "".join(c for c in text if not c.isspace()))
    if match is None:
        return False
    country, given, rest = match.groups()
    # what the remainder would be with the check digits 00
    translated = re.sub("[A-Z]", lambda m: str(ord(m[0]) - ord("A") + 10), rest + country)
    base = int(translated) * 100 % 97
    return (base + int(given)) % 97 == 1
