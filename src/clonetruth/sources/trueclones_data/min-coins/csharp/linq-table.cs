static int MinCoins(int[] coins, int amount)
{
    var best = new List<int?> { 0 };
    for (int total = 1; total <= amount; total++)
        best.Add(coins.Where(c => c <= total).Select(c => best[total - c] + 1).Min());
    return best[amount] ?? -1;
}
