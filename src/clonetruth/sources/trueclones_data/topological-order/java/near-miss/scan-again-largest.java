int[] arrange(int[][] after) {
    int n = after.length;
    int[] result = new int[n];
    boolean[] placed = new boolean[n];
    for (int k = 0; k < n; k++) {
        int next = -1;
        for (int candidate = 0; candidate < n; candidate++) {
            if (!placed[candidate] && !hasOpenPredecessor(after, placed, candidate)) {
                next = candidate;
            }
        }
        if (next < 0) return new int[0];
        placed[next] = true;
        result[k] = next;
    }
    return result;
}

private boolean hasOpenPredecessor(int[][] after, boolean[] placed, int node) {
    for (int p = 0; p < after.length; p++) {
        if (placed[p]) continue;
        for (int s : after[p]) {
            if (s == node) return true;
        }
    }
    return false;
}
