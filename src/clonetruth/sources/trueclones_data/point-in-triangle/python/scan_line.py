from fractions import Fraction


def where(corners, x, y):
    """Cuts the triangle with the horizontal line through the point."""
    cuts = []
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        if y1 == y2 == y:
            cuts += [x1, x2]
            if min(x1, x2) <= x <= max(x1, x2):
                return 0
        elif min(y1, y2) <= y <= max(y1, y2) and y1 != y2:
            cuts.append(x1 + Fraction((y - y1) * (x2 - x1), y2 - y1))
    if not cuts or not min(cuts) <= x <= max(cuts):
        return -1
    return 0 if x in (min(cuts), max(cuts)) else 1
