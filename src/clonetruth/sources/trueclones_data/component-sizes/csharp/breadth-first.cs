static List<int> ComponentSizes(int[][] links)
{
    var neighbours = links.Select(_ => new HashSet<int>()).ToArray();
    for (int i = 0; i < links.Length; i++)
    {
        foreach (int j in links[i])
        {
            neighbours[i].Add(j);
            neighbours[j].Add(i);
        }
    }

    var sizes = new List<int>();
    var visited = new bool[links.Length];
    for (int start = 0; start < links.Length; start++)
    {
        if (visited[start]) continue;
        visited[start] = true;
        int size = 0;
        var queue = new Queue<int>();
        queue.Enqueue(start);
        while (queue.Count > 0)
        {
            size++;
            foreach (int next in neighbours[queue.Dequeue()])
            {
                if (visited[next]) continue;
                visited[next] = true;
                queue.Enqueue(next);
            }
        }
        sizes.Add(size);
    }
    return sizes.OrderByDescending(size => size).ToList();
}
