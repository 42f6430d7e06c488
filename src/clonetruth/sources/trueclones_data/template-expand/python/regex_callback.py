import re


def expand(template, names, values):
    table = {}
    for name, value in zip(names, values):
        table.setdefault(name, value)
    first = {name: names.index(name) for name in names}

    def replacement(match):
        text = match.group()
        if text in ("{{", "}}"):
            return text[0]
        name = text[1:-1]
        return table[name] if name in first and first[name] < len(values) else text

    return re.sub(r"\{\{|\}\}|\{[a-z]+\}", replacement, template)
