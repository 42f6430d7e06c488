static int[] walkInwards(int[][] grid) {
    int rows = grid.length;
    int cols = rows == 0 ? 0 : grid[0].length;
    int[] path = new int[rows * cols];
    boolean[][] seen = new boolean[rows][cols];
    int y = 0, x = 0, dy = 0, dx = 1;
    for (int i = 0; i < path.length; i++) {
        path[i] = grid[y][x];
        seen[y][x] = true;
        int ny = y + dy, nx = x + dx;
        if (ny < 0 || ny >= rows || nx < 0 || nx >= cols || seen[ny][nx]) {
            int turned = dx;   // (dy, dx) -> (dx, -dy) is a turn to the right
            dx = -dy;
            dy = turned;
        }
        y += dy;
        x += dx;
    }
    return path;
}
