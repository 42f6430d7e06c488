static int Cost(List<List<int>> roads, int start, int goal)
{
    // places by what they cost; no route costs more than six roads of six
    var reached = new HashSet<int>();
    var at = new Dictionary<int, List<int>> { { 0, new List<int> { start } } };
    for (int cost = 0; cost <= 36; cost++)
    {
        if (!at.ContainsKey(cost)) continue;
        for (int i = 0; i < at[cost].Count; i++)
        {
            int place = at[cost][i];
            if (!reached.Add(place)) continue;
            if (place == goal) return cost;
            foreach (var road in roads.Where(r => r[0] == place))
            {
                int next = cost + road[2];
                if (!at.ContainsKey(next)) at[next] = new List<int>();
                at[next].Add(road[1]);
            }
        }
    }
    return -1;
}
