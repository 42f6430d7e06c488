public int[][] Step(int[][] grid)
{
    int h = grid.Length, w = grid[0].Length;
    var counts = new int[h * w];
    for (int i = 0; i < h * w; i++)
    {
        for (int j = 0; j < h * w; j++)
        {
            int dy = i / w - j / w, dx = i % w - j % w;
            int distance = dy * dy + dx * dx;
            if (distance == 1 || distance == 2) counts[i] += grid[j / w][j % w];
        }
    }
    var next = grid.Select(row => new int[w]).ToArray();
    for (int i = 0; i < counts.Length; i++)
    {
        int alive = grid[i / w][i % w];
        next[i / w][i % w] = counts[i] == 3 ? 1 : counts[i] == 2 ? alive : 0;
    }
    return next;
}
