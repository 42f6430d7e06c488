from fractions import Fraction


def intersects(first, second):
    """Moves the first segment's line so that it is the x axis, then looks where the second one is."""
    ox, oy, px, py = first
    ux, uy = px - ox, py - oy
    if ux == uy == 0:
        ux = 1

    def moved(x, y):
        x, y = x - ox, y - oy
        return Fraction(x * ux + y * uy), Fraction(y * ux - x * uy)

    end, _ = moved(px, py)
    (x1, y1), (x2, y2) = moved(*second[:2]), moved(*second[2:])
    if y1 * y2 > 0:
        return False
    if y1 == y2:
        return min(x1, x2) <= end and max(x1, x2) >= 0
    at = x1 + (x2 - x1) * y1 / (y1 - y2)
    return 0 <= at <= end
