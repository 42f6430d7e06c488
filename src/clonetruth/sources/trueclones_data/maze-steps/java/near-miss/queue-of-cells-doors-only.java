static int steps(String[] rows) {
    int height = rows.length, width = rows[0].length();
    int[][] distance = new int[height][width];
    for (int[] line : distance) Arrays.fill(line, -1);
    Deque<int[]> queue = new ArrayDeque<>();
    if (at(rows, 0, 0) != '#') {
        distance[0][0] = 0;
        queue.add(new int[] {0, 0});
    }
    while (!queue.isEmpty()) {
        int[] cell = queue.poll();
        char here = at(rows, cell[0], cell[1]);
        for (int r = 0; r < height; r++) {
            for (int c = 0; c < width; c++) {
                boolean near = Math.abs(r - cell[0]) + Math.abs(c - cell[1]) == 1;
                boolean door = here != '.' && at(rows, r, c) == here;
                if (distance[r][c] >= 0 || at(rows, r, c) == '#' || !(here == '.' ? near : door)) continue;
                distance[r][c] = distance[cell[0]][cell[1]] + 1;
                queue.add(new int[] {r, c});
            }
        }
    }
    return distance[height - 1][width - 1];
}

private static char at(String[] rows, int r, int c) {
    return c < rows[r].length() ? rows[r].charAt(c) : '#';
}
