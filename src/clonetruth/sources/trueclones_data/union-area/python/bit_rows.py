def area(rectangles):
    rows = [0] * 40
    for x1, y1, x2, y2 in rectangles:
        left, right = sorted((x1 + 20, x2 + 20))
        strip = (1 << right) - (1 << left)
        for y in range(min(y1, y2) + 20, max(y1, y2) + 20):
            rows[y] |= strip
    return sum(row.bit_count() for row in rows)
