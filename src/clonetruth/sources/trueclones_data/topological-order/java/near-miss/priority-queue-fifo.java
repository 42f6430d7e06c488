public static List<Integer> sort(List<List<Integer>> successors) {
    int n = successors.size();
    int[] open = new int[n];
    successors.forEach(list -> list.forEach(to -> open[to]++));
    Queue<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < n; i++) {
        if (open[i] == 0) free.add(i);
    }
    List<Integer> order = new ArrayList<>();
    while (!free.isEmpty()) {
        int node = free.poll();
        order.add(node);
        for (int to : successors.get(node)) {
            if (--open[to] == 0) free.add(to);
        }
    }
    return order.size() < n ? List.of() : order;
}
