import re


def natural(names):
    def key(name):
        return [
            (0, int(piece), "") if piece.isdigit() else (1, 0, piece)
            for piece in re.findall(r"\d+|\D", name)
        ]

    return sorted(names, key=key)
