import re


def natural(names):
    def key(name):
        return [
            (1, int(piece), "") if piece.isdigit() else (0, 0, piece)
            for piece in re.findall(r"\d+|\D", name)
        ]

    return sorted(names, key=key)
