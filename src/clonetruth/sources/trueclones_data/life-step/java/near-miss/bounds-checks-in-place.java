static int[][] next(int[][] grid) {
    int rows = grid.length, columns = grid[0].length;
    int[][] result = new int[rows][columns];
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            int living = 0;
            for (int dr = -1; dr <= 1; dr++) {
                for (int dc = -1; dc <= 1; dc++) {
                    int y = r + dr, x = c + dc;
                    boolean inside = y >= 0 && y < rows && x >= 0 && x < columns;
                    if (inside && (dr != 0 || dc != 0)) living += y < r ? result[y][x] : grid[y][x];
                }
            }
            result[r][c] = living == 3 || living == 2 && grid[r][c] == 1 ? 1 : 0;
        }
    }
    return result;
}
