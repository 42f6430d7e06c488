int pay(int[] coins, int amount) {
    int most = pay(coins, coins.length - 1, amount);
    return most >= amount ? -1 : most;
}

private int pay(int[] coins, int kind, int amount) {
    if (amount == 0) return 0;
    if (kind < 0) return 999;
    int without = pay(coins, kind - 1, amount);
    if (coins[kind] > amount) return without;
    return Math.min(without, 1 + pay(coins, kind, amount - coins[kind]));
}
