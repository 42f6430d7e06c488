def side(corners, x, y):
    inside = False
    previous = corners[-1]
    for current in corners:
        (x1, y1), (x2, y2) = previous, current
        cross = (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)
        if cross == 0 and (x - x1) * (x - x2) <= 0 and (y - y1) * (y - y2) <= 0:
            return 0
        if (y1 > y) != (y2 > y):
            # the edge crosses the horizontal line; is the crossing to the right?
            if (cross < 0) == (y2 > y1):
                inside = not inside
        previous = current
    return 1 if inside else -1
