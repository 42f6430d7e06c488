static int Cheapest(int[][] roads, int start, int goal)
{
    var cost = Enumerable.Repeat(int.MaxValue, 7).ToArray();
    cost[start] = 0;
    for (bool again = true; again;)
    {
        var better = roads.Where(r => cost[r[0]] != int.MaxValue && cost[r[0]] + r[2] < cost[r[1]]).ToList();
        foreach (var r in better) cost[r[1]] = Math.Min(cost[r[1]], cost[r[0]] + r[2]);
        again = better.Any();
    }
    return cost[goal] == int.MaxValue ? -1 : cost[goal];
}
