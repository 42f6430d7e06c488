def position(triangle, x, y):
    """The three triangles with the point have together the area of the whole one, exactly when it is not outside."""
    p = (x, y)
    a, b, c = map(tuple, triangle)
    whole = area(a, b, c)
    parts = [area(p, b, c), area(a, p, c), area(a, b, p)]
    if sum(parts) > whole:
        return -1
    if whole > 0:
        return 0 if 0 in parts else 1
    low, high = min(a, b, c), max(a, b, c)
    return 0 if low <= p or p <= high else -1


def area(a, b, c):
    return abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
