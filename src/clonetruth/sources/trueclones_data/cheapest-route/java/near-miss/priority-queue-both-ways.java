static int cheapest(List<List<Integer>> roads, int start, int goal) {
    Map<Integer, Integer> best = new HashMap<>();
    PriorityQueue<int[]> open = new PriorityQueue<>((a, b) -> a[1] - b[1]);
    open.add(new int[] {start, 0});
    while (!open.isEmpty()) {
        int[] next = open.remove();
        if (best.putIfAbsent(next[0], next[1]) != null) continue;
        for (List<Integer> road : roads) {
            if (road.get(1) == next[0]) open.add(new int[] {road.get(0), next[1] + road.get(2)});
            if (road.get(0) == next[0]) open.add(new int[] {road.get(1), next[1] + road.get(2)});
        }
    }
    return best.getOrDefault(goal, -1);
}
