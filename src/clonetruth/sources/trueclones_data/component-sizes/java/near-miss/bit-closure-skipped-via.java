static int[] groupSizes(List<List<Integer>> graph) {
    int n = graph.size();
    int[] reach = new int[n];
    for (int v = 0; v < n; v++) reach[v] = 1 << v;
    for (int v = 0; v < n; v++) {
        for (int w : graph.get(v)) {
            reach[v] |= 1 << w;
            reach[w] |= 1 << v;
        }
    }
    for (int via = 0; via < n - 1; via++) {
        for (int v = 0; v < n; v++) {
            if ((reach[v] >> via & 1) == 1) reach[v] |= reach[via];
        }
    }
    int[] sizes = IntStream.of(reach).distinct().map(Integer::bitCount).map(s -> -s).sorted().toArray();
    return IntStream.of(sizes).map(s -> -s).toArray();
}
