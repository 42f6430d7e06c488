def life(grid):
    height, width = len(grid), len(grid[0])
    birth_and_survival = ["000100100", "001100000"]

    def living_around(row, column):
        total = -grid[row][column]
        for r in range(max(row - 1, 0), min(row + 2, height)):
            for c in range(max(column - 1, 0), min(column + 2, width)):
                total += grid[r][c]
        return total

    return [
        [int(birth_and_survival[grid[r][c]][living_around(r, c)]) for c in range(width)] for r in range(height)
    ]
