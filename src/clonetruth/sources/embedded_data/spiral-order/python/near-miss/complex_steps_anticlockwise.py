def walk(grid):
    cells = {complex(r, c): value for r, row in enumerate(grid) for c, value in enumerate(row)}
    position, heading = 0 + 0j, 1 + 0j
    visited = []
    while cells:
        visited.append(cells.pop(position))
        if position + heading not in cells:
            heading *= 1j
        position += heading
    return visited
