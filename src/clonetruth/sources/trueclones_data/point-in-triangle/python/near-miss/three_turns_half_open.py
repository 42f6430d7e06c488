def locate(corners, x, y):
    a, b, c = corners
    turns = [turn(a, b, x, y), turn(b, c, x, y), turn(c, a, x, y)]
    if min(turns) > 0 or max(turns) < 0:
        return 1
    if any(t == 0 and between(p, q, x, y) for t, p, q in zip(turns, corners, (b, c, a))):
        return 0
    return -1


def turn(p, q, x, y):
    return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])


def between(p, q, x, y):
    return min(p[0], q[0]) <= x < max(p[0], q[0]) and min(p[1], q[1]) <= y <= max(p[1], q[1])
