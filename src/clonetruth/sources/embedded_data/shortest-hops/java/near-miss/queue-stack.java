public static int shortestPath(List<List<Integer>> neighbours, int start, int goal) {
    int[] distance = new int[neighbours.size()];
    Arrays.fill(distance, -1);
    distance[start] = 0;
    Deque<Integer> queue = new ArrayDeque<>();
    queue.add(start);
    while (!queue.isEmpty()) {
        int node = queue.removeLast();
        for (int next : neighbours.get(node)) {
            if (distance[next] < 0) {
                distance[next] = distance[node] + 1;
                queue.add(next);
            }
        }
    }
    return distance[goal];
}
