def hull_area(points):
    """An ordered pair of points is an edge of the hull when no point lies to the right of it."""
    unique = {(x, y) for x, y in points}
    total = 0
    for ax, ay in unique:
        for bx, by in unique - {(ax, ay)}:
            sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in unique]
            between = [
                (x, y)
                for (x, y), side in zip(unique, sides)
                if side == 0 and (x - ax) * (x - bx) < 0
            ]
            if min(sides) >= 0 and max(sides) > 0 and not between:
                total += ax * by - bx * ay
    return total
