int fewest(List<Integer> coins, int amount) {
    Set<Integer> seen = new HashSet<>(Set.of(amount));
    Deque<int[]> queue = new ArrayDeque<>();
    queue.add(new int[] {amount, 0});
    while (!queue.isEmpty()) {
        int[] state = queue.poll();
        if (state[0] == 0) return state[1];
        for (int coin : coins) {
            int left = state[0] - coin;
            if (left >= 0 && seen.add(left)) queue.add(new int[] {left, state[1] + 1});
        }
    }
    return -1;
}
