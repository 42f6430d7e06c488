def meet(first, second):
    a, b = (first[0], first[1]), (first[2], first[3])
    c, d = (second[0], second[1]), (second[2], second[3])
    if turn(a, b, c) != turn(a, b, d):
        return True
    return on(a, b, c) or on(a, b, d) or on(c, d, a) or on(c, d, b)


def turn(p, q, r):
    value = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (value > 0) - (value < 0)


def on(p, q, r):
    inside = min(p[0], q[0]) <= r[0] <= max(p[0], q[0]) and min(p[1], q[1]) <= r[1] <= max(p[1], q[1])
    return inside and turn(p, q, r) == 0
