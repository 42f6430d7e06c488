from fractions import Fraction


def share_point(first, second):
    x1, y1, x2, y2 = first
    x3, y3, x4, y4 = second
    dx, dy, ex, ey = x2 - x1, y2 - y1, x4 - x3, y4 - y3
    cross = dx * ey - dy * ex
    if cross:
        t = Fraction((x3 - x1) * ey - (y3 - y1) * ex, cross)
        u = Fraction((x3 - x1) * dy - (y3 - y1) * dx, cross)
        return 0 <= t <= 1 and 0 <= u <= 1
    points = [(x1, y1), (x2, y2)], [(x3, y3), (x4, y4)]
    if dx * (y3 - y1) != dy * (x3 - x1) and y1 == y2:
        return False
    low, high = sorted(points[0]), sorted(points[1])
    return max(low[0], high[0]) <= min(low[1], high[1])
