private int width;
private char[][] maze;
private int[][] best;

int shortest(List<String> rows) {
    width = rows.get(0).length();
    maze = new char[rows.size()][width];
    best = new int[rows.size()][width];
    for (int r = 0; r < maze.length; r++) {
        Arrays.fill(maze[r], '#');
        for (int c = 0; c < Math.min(width, rows.get(r).length()); c++) maze[r][c] = rows.get(r).charAt(c);
    }
    for (int limit = 0; limit <= 36; limit++) {
        for (int[] row : best) Arrays.fill(row, 99);
        walk(0, 0, 0, limit);
        if (best[maze.length - 1][width - 1] <= limit) return limit;
    }
    return -1;
}

private void walk(int r, int c, int steps, int limit) {
    if (r < 0 || c < 0 || r >= maze.length || c >= width || maze[r][c] == '#') return;
    if (steps > limit || best[r][c] <= steps) return;
    best[r][c] = steps;
    walk(r + 1, c, steps + 1, limit);
    walk(r, c + 1, steps + 1, limit);
    walk(r - 1, c, steps + 1, limit);
    walk(r, c - 1, steps + 1, limit);
    if (maze[r][c] == '.') return;
    for (int a = 0; a < maze.length; a++) {
        for (int b = 0; b < width; b++) {
            if (maze[a][b] == maze[r][c] && (a != r || b != c)) walk(a, b, steps + 1, limit);
        }
    }
}
