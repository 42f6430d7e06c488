import re

NAMES = {"\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", '"': '"', "\\": "\\"}


def to_json(text):
    def replace(match):
        c = match.group()
        if c in NAMES:
            return "\\" + NAMES[c]
        raw = c.encode("utf-16-be").hex()
        return "".join("\\u" + raw[i : i + 4] for i in range(0, len(raw), 4))

    return '"' + re.sub(r'["\\]|[^ -}]', replace, text, flags=re.S) + '"'
