static int Needed(List<int> coins, int amount)
{
    var reached = new HashSet<int> { 0 };
    var level = new List<int> { 0 };
    for (int count = 0; level.Count > 0; count++)
    {
        if (level.Contains(amount))
            return count;
        level = level.SelectMany(sum => coins, (sum, coin) => sum + coin)
            .Where(sum => sum <= amount && sum < 50 && reached.Add(sum))
            .ToList();
    }
    return -1;
}
