int[][] generation(int[][] grid) {
    int h = grid.length, w = grid[0].length;
    int[][] out = new int[h][w];
    for (int r = 0; r < h; r++) {
        int[] column = new int[w + 2];
        for (int c = 0; c < w; c++) {
            column[c + 1] = grid[r][c];
            if (r > 1) column[c + 1] += grid[r - 1][c];
            if (r < h - 1) column[c + 1] += grid[r + 1][c];
        }
        for (int c = 1; c <= w; c++) {
            switch (column[c - 1] + column[c] + column[c + 1] - grid[r][c - 1]) {
                case 2:
                    out[r][c - 1] = grid[r][c - 1];
                    break;
                case 3:
                    out[r][c - 1] = 1;
                    break;
                default:
            }
        }
    }
    return out;
}
