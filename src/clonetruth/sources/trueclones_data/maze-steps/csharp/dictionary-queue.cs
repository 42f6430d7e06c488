static int Steps(List<string> rows)
{
    int width = rows[0].Length;
    var open = new Dictionary<Tuple<int, int>, char>();
    for (int y = 0; y < rows.Count; y++)
        for (int x = 0; x < Math.Min(width, rows[y].Length); x++)
            if (rows[y][x] != '#') open[Tuple.Create(x, y)] = rows[y][x];
    var start = Tuple.Create(0, 0);
    var goal = Tuple.Create(width - 1, rows.Count - 1);
    if (!open.ContainsKey(start)) return -1;
    var steps = new Dictionary<Tuple<int, int>, int> { { start, 0 } };
    var queue = new Queue<Tuple<int, int>>();
    queue.Enqueue(start);
    while (queue.Count > 0)
    {
        var here = queue.Dequeue();
        foreach (var place in open.Keys)
        {
            int dx = Math.Abs(place.Item1 - here.Item1), dy = Math.Abs(place.Item2 - here.Item2);
            bool door = open[here] != '.' && open[here] == open[place];
            if (steps.ContainsKey(place) || dx + dy != 1 && !door) continue;
            steps[place] = steps[here] + 1;
            queue.Enqueue(place);
        }
    }
    int found;
    return steps.TryGetValue(goal, out found) ? found : -1;
}
