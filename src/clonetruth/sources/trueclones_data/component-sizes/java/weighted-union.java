int[] sizes(int[][] neighbours) {
    // a negative entry is a root and its size, another one the parent
    int[] forest = new int[neighbours.length];
    Arrays.fill(forest, -1);
    for (int v = 0; v < neighbours.length; v++) {
        for (int w : neighbours[v]) {
            int a = find(forest, v), b = find(forest, w);
            if (a == b) continue;
            if (forest[a] > forest[b]) {
                int t = a;
                a = b;
                b = t;
            }
            forest[a] += forest[b];
            forest[b] = a;
        }
    }
    return Arrays.stream(forest).filter(x -> x < 0).sorted().map(x -> -x).toArray();
}

int find(int[] forest, int x) {
    return forest[x] < 0 ? x : find(forest, forest[x]);
}
