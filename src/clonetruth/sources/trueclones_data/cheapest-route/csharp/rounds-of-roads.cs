public int Cheapest(int[][] roads, int start, int goal)
{
    int?[] cost = new int?[7];
    cost[start] = 0;
    // a cheapest route has six roads at most
    for (int round = 1; round <= 6; round++)
    {
        foreach (int[] road in roads)
        {
            int? through = cost[road[0]] + road[2];
            if (through == null) continue;
            cost[road[1]] = Math.Min(cost[road[1]] ?? int.MaxValue, through.Value);
        }
    }
    return cost[goal].GetValueOrDefault(-1);
}
