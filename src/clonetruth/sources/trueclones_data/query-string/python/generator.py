import binascii


def query_value(query, key):
    pairs = (pair.split("=", maxsplit=1) for pair in query.split("&") if pair)
    values = (decoded("".join(rest)) for name, *rest in pairs if decoded(name) == key)
    return next(values, "(none)")


def decoded(text):
    first, *escaped = text.replace("+", " ").split("%")
    return first + "".join(binascii.unhexlify(e[:2]).decode("ascii") + e[2:] for e in escaped)
