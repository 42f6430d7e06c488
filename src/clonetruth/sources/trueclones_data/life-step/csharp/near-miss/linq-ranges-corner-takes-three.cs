static List<List<int>> Next(List<List<int>> grid)
{
    Func<int, int, int> near = (r, c) => grid.Skip(r - 1).Take(r == 0 ? 2 : 3)
        .Sum(row => row.Skip(c - 1).Take(3).Sum()) - grid[r][c];
    return grid.Select((row, r) => row.Select((cell, c) => near(r, c) == 3 || near(r, c) == 2 && cell == 1 ? 1 : 0).ToList())
        .ToList();
}
