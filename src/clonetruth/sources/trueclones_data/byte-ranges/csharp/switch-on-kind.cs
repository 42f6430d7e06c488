static int[][] Ranges(string ranges, int size)
{
    var result = new List<int[]>();
    foreach (string range in ranges.Split(','))
    {
        int dash = range.IndexOf('-'), from, to = size - 1;
        if (dash == 0)
            from = size - int.Parse(range.Substring(1));
        else if (dash == range.Length - 1)
            from = int.Parse(range.TrimEnd('-'));
        else
        {
            from = int.Parse(range.Remove(dash));
            to = int.Parse(range.Substring(dash + 1));
        }
        from = Math.Max(from, 0);
        to = Math.Min(to, size - 1);
        if (to >= from) result.Add(new[] { from, to });
    }
    return result.ToArray();
}
