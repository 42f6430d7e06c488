public int Count(List<int> coins, int amount)
{
    // tries one coin, then two, and so on
    for (int allowed = 0; allowed < amount || allowed == 0; allowed++)
        if (Possible(coins, 0, amount, allowed, new HashSet<int>())) return allowed;
    return -1;
}

private bool Possible(List<int> coins, int from, int left, int allowed, HashSet<int> failed)
{
    if (left == 0) return allowed >= 0;
    if (left < 0 || allowed == 0 || from == coins.Count) return false;
    int state = (from * 51 + left) * 51 + allowed;
    if (failed.Contains(state)) return false;
    bool ok = Possible(coins, from, left - coins[from], allowed - 1, failed)
        || Possible(coins, from + 1, left, allowed, failed);
    if (!ok) failed.Add(state);
    return ok;
}
