def substitute(text, names, values):
    """Consumes the front of the text: an escape, a placeholder or one character."""
    if not text:
        return ""
    if text[:2] in ("{{", "}}"):
        return text[0] + substitute(text[2:], names, values)
    end = text.find("}")
    name = text[1:end]
    if text[0] == "{" and end > 1 and name.isalpha() and name.islower():
        position = dict(zip(names, range(len(names)))).get(name, len(values))
        value = values[position] if position < len(values) else text[: end + 1]
        return value + substitute(text[end + 1 :], names, values)
    return text[0] + substitute(text[1:], names, values)
