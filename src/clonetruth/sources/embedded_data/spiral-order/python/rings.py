def ring_by_ring(table):
    height = len(table)
    width = len(table[0]) if table else 0
    coords = []
    for depth in range((min(height, width) + 1) // 2):
        y0, y1 = depth, height - 1 - depth
        x0, x1 = depth, width - 1 - depth
        coords.extend((y0, x) for x in range(x0, x1 + 1))
        coords.extend((y, x1) for y in range(y0 + 1, y1 + 1))
        if y1 > y0:
            coords.extend((y1, x) for x in range(x1 - 1, x0 - 1, -1))
        if x1 > x0:
            coords.extend((y, x0) for y in range(y1 - 1, y0, -1))
    return [table[y][x] for y, x in coords]
