static int minCoins(int[] coins, int amount) {
    int[] best = new int[amount + 1];
    Arrays.fill(best, 1, amount + 1, Integer.MAX_VALUE);
    for (int coin : coins) {
        for (int total = coin; total <= amount; total++) {
            best[total] = Math.min(best[total], best[total - coin] + 1);
        }
    }
    return best[amount] == Integer.MAX_VALUE ? -1 : best[amount];
}
