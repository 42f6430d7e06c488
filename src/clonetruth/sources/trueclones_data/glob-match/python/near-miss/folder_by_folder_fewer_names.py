def fits(pattern, path):
    # a slash matches only a slash, so that names can be compared one by one
    wanted, names = pattern.split("/"), path.split("/")
    return len(wanted) <= len(names) and all(map(fits_name, wanted, names))


def fits_name(wanted, name):
    pieces = wanted.split("*")
    if len(pieces) == 1:
        return len(wanted) == len(name) and begins(name, wanted)
    first, *middle, last = pieces
    if len(name) < len(first) + len(last):
        return False
    if not begins(name, first) or not begins(name[len(name) - len(last):], last):
        return False
    name = name[len(first):len(name) - len(last)]
    for piece in middle:
        while not begins(name, piece):
            if not name:
                return False
            name = name[1:]
        name = name[len(piece):]
    return True


def begins(name, piece):
    return len(name) >= len(piece) and all(p in ("?", c) for p, c in zip(piece, name))
