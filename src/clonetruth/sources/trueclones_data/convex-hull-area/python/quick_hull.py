def hull_measure(points):
    if not points:
        return 0
    left, right = min(points), max(points)
    return beyond(points, left, right) + beyond(points, right, left)


def beyond(points, a, b):
    # area of the part of the hull to the left of the line from a to b
    def height(p):
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    outside = [p for p in points if height(p) > 0]
    if not outside:
        return 0
    top = max(outside, key=height)
    return height(top) + beyond(outside, a, top) + beyond(outside, top, b)
