public static List<Integer> componentSizes(int[][] links) {
    int n = links.length;
    boolean[][] connected = new boolean[n][n];
    for (int i = 0; i < n; i++) {
        for (int j : links[i]) {
            connected[i][j] = connected[j][i] = true;
        }
    }
    boolean[] visited = new boolean[n];
    List<Integer> sizes = new ArrayList<>();
    for (int start = 0; start < n; start++) {
        if (visited[start]) continue;
        int size = 0;
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        visited[start] = true;
        while (!queue.isEmpty()) {
            int node = queue.poll();
            size++;
            for (int other = 0; other < n; other++) {
                if (connected[node][other] && !visited[other]) {
                    visited[other] = true;
                    queue.add(other);
                }
            }
        }
        sizes.add(size);
    }
    sizes.sort(Collections.reverseOrder());
    return sizes;
}
