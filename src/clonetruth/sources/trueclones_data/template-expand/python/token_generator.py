import re


def render(template, names, values):
    return "".join(piece(token, names, values) for token in re.findall(r"{{|}}|{[a-z]+}|.", template))


def piece(token, names, values):
    if token == "{{":
        return "{"
    if token == "}}":
        return "}"
    for name, index in zip(names, range(len(names))):
        if token == "{" + name + "}":
            return values[index] if index < len(values) else token
    return token
