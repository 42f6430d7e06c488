public List<List<int>> Positions(string ranges, int size)
{
    return Regex.Matches(ranges, @"(?<a>\d*)-(?<b>\d*)").Cast<Match>().Select(m =>
    {
        int a, b;
        bool hasStart = int.TryParse(m.Groups["a"].Value, out a), hasEnd = int.TryParse(m.Groups["b"].Value, out b);
        int start = hasStart ? a : size - Math.Min(b, size);
        int end = hasStart && hasEnd ? Math.Min(b, size - 1) : size - 1;
        return Enumerable.Range(0, size).Where(at => at > start && at <= end);
    }).Where(found => found.Any()).Select(found => new List<int> { found.First(), found.Last() }).ToList();
}
