def touches(first, second):
    def overlap(a, b, c, d):
        return max(min(a, b), min(c, d)) <= min(max(a, b), max(c, d))

    def sides(line, other):
        x, y, u, v = line
        areas = [(u - x) * (other[i + 1] - y) - (v - y) * (other[i] - x) for i in (0, 2)]
        return areas[0] * areas[1] < 0 or areas == [0, 0]

    (ax, ay, bx, by), (cx, cy, dx, dy) = first, second
    if not overlap(ax, bx, cx, dx) or not overlap(ay, by, cy, dy):
        return False
    return sides(first, second) and sides(second, first)
