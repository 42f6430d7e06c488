static int[][] Evolve(int[][] grid)
{
    int height = grid.Length, width = grid[0].Length;
    var counts = new int[height + 2, width + 2];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    counts[y + dy, x + dx] += grid[y][x];

    var next = new int[height][];
    for (int y = 0; y < height; y++)
    {
        next[y] = new int[width];
        for (int x = 0; x < width; x++)
        {
            // the cell itself is counted with its neighbours
            int around = counts[y + 1, x + 1] - grid[y][x];
            if (around == 3 || around == 2 && grid[y][x] == 1) next[y][x] = 1;
        }
    }
    return next;
}
