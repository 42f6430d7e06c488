public int dijkstra(int[][] roads, int start, int goal) {
    int[][] matrix = new int[7][7];
    for (int[] row : matrix) Arrays.fill(row, -1);
    for (int[] r : roads) {
        int known = matrix[r[0]][r[1]];
        if (known < 0 || r[2] >= 0) matrix[r[0]][r[1]] = r[2];
    }
    int[] cost = {-1, -1, -1, -1, -1, -1, -1};
    boolean[] done = new boolean[7];
    cost[start] = 0;
    while (true) {
        int place = -1;
        for (int p = 0; p < 7; p++) {
            if (!done[p] && cost[p] >= 0 && (place < 0 || cost[p] < cost[place])) place = p;
        }
        if (place < 0 || place == goal) return cost[goal];
        done[place] = true;
        for (int p = 0; p < 7; p++) {
            if (matrix[place][p] < 0) continue;
            int through = cost[place] + matrix[place][p];
            if (cost[p] < 0 || through < cost[p]) cost[p] = through;
        }
    }
}
