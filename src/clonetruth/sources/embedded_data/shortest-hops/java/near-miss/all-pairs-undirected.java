int hops(int[][] graph, int from, int to) {
    int n = graph.length;
    int far = n + 1;
    int[][] d = new int[n][n];
    for (int i = 0; i < n; i++) {
        Arrays.fill(d[i], far);
        d[i][i] = 0;
    }
    for (int i = 0; i < n; i++) {
        for (int j : graph[i]) if (i != j) d[i][j] = d[j][i] = 1;
    }
    for (int via = 0; via < n; via++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i][j] = Math.min(d[i][j], d[i][via] + d[via][j]);
    return d[from][to] < far ? d[from][to] : -1;
}
