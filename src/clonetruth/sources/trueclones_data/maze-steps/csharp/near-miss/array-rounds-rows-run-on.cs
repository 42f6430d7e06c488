public int Fewest(string[] rows)
{
    int w = rows[0].Length, h = rows.Length, none = int.MaxValue;
    string maze = string.Concat(rows.Select(row => row.PadRight(w, '#').Substring(0, w)));
    int[] steps = Enumerable.Repeat(none, w * h).ToArray();
    if (maze[0] != '#') steps[0] = 0;
    for (int round = 0; round < w * h; round++)
    {
        for (int i = 0; i < w * h; i++)
        {
            if (steps[i] != round) continue;
            for (int j = 0; j < w * h; j++)
            {
                bool side = (j == i + 1 || j == i - 1);
                bool door = maze[i] == maze[j] && maze[i] != '.';
                if (maze[j] != '#' && (side || door || j == i + w || j == i - w)) steps[j] = Math.Min(steps[j], round + 1);
            }
        }
    }
    return steps[w * h - 1] == none ? -1 : steps[w * h - 1];
}
