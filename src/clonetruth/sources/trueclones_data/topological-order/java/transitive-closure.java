// First the closure of the relation: a node on its own path means a cycle. Then the nodes
// are taken one by one with the bits of their predecessors.
public int[] topologicalOrder(int[][] edges) {
    int n = edges.length;
    boolean[][] before = new boolean[n][n];
    for (int i = 0; i < n; i++) for (int j : edges[i]) before[i][j] = true;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                before[i][j] |= before[i][k] && before[k][j];
    int[] blockers = new int[n];
    for (int j = 0; j < n; j++) {
        if (before[j][j]) return new int[] {};
        for (int i = 0; i < n; i++) if (before[i][j]) blockers[j]++;
    }
    int[] order = new int[n];
    for (int place = 0; place < n; place++) {
        int v = 0;
        while (blockers[v] != 0) v++;
        blockers[v] = -1;
        order[place] = v;
        for (int w = 0; w < n; w++) if (before[v][w]) blockers[w]--;
    }
    return order;
}
