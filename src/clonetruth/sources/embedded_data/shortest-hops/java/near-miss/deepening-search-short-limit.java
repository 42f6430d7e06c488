public int edgesBetween(int[][] adjacency, int source, int target) {
    for (int limit = 0; limit < adjacency.length - 1; limit++) {
        if (reaches(adjacency, source, target, limit)) {
            return limit;
        }
    }
    return -1;
}

private boolean reaches(int[][] adjacency, int node, int target, int budget) {
    if (node == target) return true;
    if (budget == 0) return false;
    for (int successor : adjacency[node]) {
        if (reaches(adjacency, successor, target, budget - 1)) return true;
    }
    return false;
}
