def wrapped(text, limit):
    """Cuts a line off the front again and again."""
    rest = " ".join(text.split())
    result = []
    while len(rest) > limit:
        cut = rest.rfind(" ", 0, limit)
        if cut < 0:
            cut = rest.find(" ")
        if cut < 0:
            break
        result.append(rest[:cut])
        rest = rest[cut + 1 :]
    return result + [rest] if rest else result
