def fewest(rows):
    columns = len(rows[0])
    grid = [row[:columns].ljust(columns, ".") for row in rows]
    reached = {(0, 0)} if grid[0][0] != "#" else set()
    goal = (len(grid) - 1, columns - 1)
    count = 0
    while goal not in reached:
        wider = set(reached)
        for r, c in reached:
            for one in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if 0 <= one[0] < len(grid) and 0 <= one[1] < columns and grid[one[0]][one[1]] != "#":
                    wider.add(one)
            if grid[r][c] in "123":
                wider |= {(a, b) for a in range(len(grid)) for b in range(columns) if grid[a][b] == grid[r][c]}
        if wider == reached:
            return -1
        reached, count = wider, count + 1
    return count
