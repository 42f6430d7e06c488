int projectEnd(int[] durations, List<List<Integer>> before) {
    int n = before.size();
    int[] start = new int[n];
    int[] open = new int[n];
    Deque<Integer> ready = new ArrayDeque<>();
    for (int t = 0; t < n; t++) {
        open[t] = new HashSet<>(before.get(t)).size();
        if (open[t] == 0) ready.push(t);
    }
    int result = 0;
    while (!ready.isEmpty()) {
        int t = ready.pop();
        int end = start[t] + durations[t];
        if (end > result) result = end;
        for (int next = 0; next < n; next++) {
            if (!before.get(next).contains(t)) continue;
            if (start[next] < end) start[next] = end;
            if (--open[next] == 0) ready.push(next);
        }
    }
    return result;
}
