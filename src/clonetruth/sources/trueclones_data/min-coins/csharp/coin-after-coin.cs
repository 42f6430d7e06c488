public int Fewest(int[] coins, int amount)
{
    int[] need = new int[amount + 1];
    for (int sum = 1; sum <= amount; sum++)
        need[sum] = int.MaxValue;
    foreach (int coin in coins)
    {
        for (int sum = coin; sum <= amount; sum++)
        {
            if (need[sum - coin] == int.MaxValue) continue;
            need[sum] = Math.Min(need[sum], need[sum - coin] + 1);
        }
    }
    return need[amount] < int.MaxValue ? need[amount] : -1;
}
