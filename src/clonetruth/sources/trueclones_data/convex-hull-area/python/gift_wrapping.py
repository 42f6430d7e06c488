def area_twice(pts):
    pts = [tuple(p) for p in pts]
    if not pts:
        return 0
    start = current = min(pts)
    total = 0
    while True:
        following = current
        for p in pts:
            turn = (following[0] - current[0]) * (p[1] - current[1]) - (following[1] - current[1]) * (p[0] - current[0])
            if following == current or turn < 0 or (turn == 0 and dist(current, p) > dist(current, following)):
                following = p
        total += current[0] * following[1] - current[1] * following[0]
        current = following
        if current == start:
            return total


def dist(p, q):
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
