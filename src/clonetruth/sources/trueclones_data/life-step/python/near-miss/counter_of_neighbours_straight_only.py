from collections import Counter


def step(grid):
    alive = {(r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell}
    near = Counter(
        (r + dr, c + dc) for r, c in alive for dr in (-1, 0, 1) for dc in (-1, 0, 1) if not dr or not dc
    )
    return [
        [int(near[r, c] == 3 or (near[r, c] == 2 and (r, c) in alive)) for c in range(len(grid[0]))]
        for r in range(len(grid))
    ]
