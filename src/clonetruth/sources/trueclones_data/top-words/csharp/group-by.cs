static List<string> TopWords(IEnumerable<string> words, int k)
{
    var groups = words.GroupBy(word => word)
        .OrderByDescending(group => group.Count())
        .ThenBy(group => group.Key, StringComparer.Ordinal)
        .ToList();
    if (k == 0 || groups.Count == 0) return new List<string>();
    int least = groups[Math.Min(k, groups.Count) - 1].Count();
    return groups.TakeWhile(group => group.Count() >= least).Select(group => group.Key).ToList();
}
