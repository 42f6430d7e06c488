public List<List<int>> Parse(string ranges, int size)
{
    var found = new List<List<int>>();
    int at = 0;
    while (at < ranges.Length)
    {
        int? a = Number(ranges, ref at);
        at++;
        int? b = Number(ranges, ref at);
        at++;
        int start = a ?? size - Math.Min(size, b.Value);
        int end = a == null || b == null || b >= size ? size - 1 : b.Value;
        if (start > end) continue;
        found.Add(new List<int> { start, end });
    }
    return found;
}

private static int? Number(string text, ref int at)
{
    int begin = at;
    while (at < text.Length && char.IsDigit(text[at])) at++;
    return begin == at ? (int?)null : int.Parse(text.Substring(begin, at - begin));
}
