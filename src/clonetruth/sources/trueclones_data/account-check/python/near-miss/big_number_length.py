import re


def valid(text):
    compact = text.replace(" ", "")
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{0,20}", compact):
        return False
    moved = compact[4:] + compact[:4]
    digits = "".join(str(int(character, 36)) for character in moved)
    return int(digits) % 97 == 1
