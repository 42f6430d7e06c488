static int Distance(List<string> rows)
{
    int width = rows[0].Length;
    var grid = rows.Select(row => row.PadRight(width, '#')).ToList();
    var seen = new HashSet<(int R, int C)>();
    var wave = new List<(int R, int C)> { (0, 0) };
    for (int steps = 0; wave.Count > 0; steps++)
    {
        var next = new List<(int R, int C)>();
        foreach (var place in wave)
        {
            bool inside = place.R >= 0 && place.R < grid.Count && place.C >= 0 && place.C < width;
            if (!inside || grid[place.R][place.C] == '#' || !seen.Add(place)) continue;
            if (place.Equals((grid.Count - 1, width - 1))) return steps;
            next.Add((place.R - 1, place.C));
            next.Add((place.R + 1, place.C));
            next.Add((place.R, place.C - 1));
            next.Add((place.R, place.C + 1));
            char door = grid[place.R][place.C];
            if (door < '1' || door > '2') continue;
            for (int r = 0; r < grid.Count; r++)
                for (int c = 0; c < width; c++)
                    if (grid[r][c] == door) next.Add((r, c));
        }
        wave = next;
    }
    return -1;
}
