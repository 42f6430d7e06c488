def doubled_hull_area(points):
    ordered = sorted(set(map(tuple, points)))
    if len(ordered) < 3:
        return 0

    def chain(sequence):
        hull = []
        for p in sequence:
            while len(hull) > 1 and cross(hull[-2], hull[-1], p) <= 0:
                hull.pop()
            hull.append(p)
        return hull[:-1]

    outline = chain(ordered) + chain(ordered[::-1])
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(outline, outline[1:] + outline[:1]))


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
