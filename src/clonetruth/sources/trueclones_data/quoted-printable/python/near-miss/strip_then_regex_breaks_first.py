import re


def decode(text):
    text = text.replace("=\n", "")
    text = re.sub(r" +(?=\n|\Z)", "", text)
    decoded = re.sub("=\n|=([0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)) if m[1] else "", text)
    return [ord(c) for c in decoded]
