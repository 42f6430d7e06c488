int longest(int[] durations, int[][] before) {
    int n = before.length, none = Integer.MIN_VALUE / 2;
    int[][] path = new int[n][n];
    for (int a = 0; a < n; a++) {
        Arrays.fill(path[a], none);
        for (int b : before[a]) path[a][b] = durations[b];
    }
    // longest ways from a task to one before it, with as many stations as there are tasks
    boolean[] stuck = new boolean[n];
    for (int k = 0; k < n; k++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (path[a][k] > none && path[k][b] > none) path[a][b] = Math.max(path[a][b], path[a][k] + path[k][b]);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) if (a == b && path[a][b] > none) stuck[a] = true;
    int latest = 0;
    for (int a = 0; a < n; a++) {
        int wait = 0;
        boolean begins = !stuck[a];
        for (int b = 0; b < n; b++) {
            if (path[a][b] == none) continue;
            begins = begins && !stuck[b];
            wait = Math.max(wait, path[a][b]);
        }
        if (begins) latest = Math.max(latest, wait + durations[a]);
    }
    return latest;
}
