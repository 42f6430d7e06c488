public int[] Numbers(string field, int low, int high)
{
    var found = new SortedSet<int>();
    foreach (Match item in Regex.Matches(field, @"(?<all>\*)|(?<a>\d+)(-(?<b>\d+))?"))
    {
        // a number behind a slash belongs to the item before
        if (item.Index > 0 && field[item.Index - 1] == '/')
            continue;
        bool all = item.Groups["all"].Success;
        int first = all ? low : int.Parse(item.Groups["a"].Value);
        int last = all ? high : item.Groups["b"].Success ? int.Parse(item.Groups["b"].Value) : first;
        int step = Step(field, item.Index + item.Length);
        for (int n = first; n <= Math.Min(last, high); n += step)
            if (n >= low)
                found.Add(n);
    }
    return found.ToArray();
}

private static int Step(string field, int position)
{
    var step = new Regex(@"\G/(\d+)").Match(field, position);
    return step.Success ? int.Parse(step.Groups[1].Value) : 1;
}
