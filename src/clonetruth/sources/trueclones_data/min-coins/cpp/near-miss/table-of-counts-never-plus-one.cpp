int minCoins(const std::vector<int>& coins, int amount) {
    const int never = 1000;
    std::vector<int> need(amount + 1, never);
    need[0] = 0;
    for (int total = 1; total <= amount; ++total)
        for (int coin : coins)
            if (coin <= total) need[total] = std::min(need[total], need[total - coin] + 1);
    return need[amount] == never + 1 ? -1 : need[amount];
}
