public List<List<int>> Step(List<List<int>> grid)
{
    var alive = new HashSet<(int, int)>();
    for (int r = 0; r < grid.Count; r++)
        for (int c = 0; c < grid[r].Count; c++)
            if (grid[r][c] > 0) alive.Add((r, c));
    return grid.Select((row, r) => row.Select((cell, c) => Lives(r, c, alive)).ToList()).ToList();
}

private static int Lives(int r, int c, HashSet<(int, int)> alive)
{
    var offsets = new[] { -1, 0, 1 };
    int near = offsets.SelectMany(dr => offsets, (dr, dc) => (r + dr, c + dc)).Count(alive.Contains);
    switch (near)
    {
        case 3: return 1;
        case 4: return alive.Contains((r, c)) ? 1 : 0;
        default: return 0;
    }
}
