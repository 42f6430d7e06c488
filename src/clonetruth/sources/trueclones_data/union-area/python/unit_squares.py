def covered(rectangles):
    squares = set()
    for x1, y1, x2, y2 in rectangles:
        for x in range(min(x1, x2), max(x1, x2)):
            for y in range(min(y1, y2), max(y1, y2)):
                squares.add((x, y))
    return len(squares)
