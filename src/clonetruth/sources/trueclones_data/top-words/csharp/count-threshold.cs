public List<string> Top(List<string> words, int k)
{
    var distinct = new SortedSet<string>(words, StringComparer.Ordinal);
    var counts = distinct.Select(word => words.FindAll(w => w == word).Count).OrderByDescending(n => n).Take(k).ToList();
    var result = new List<string>();
    if (counts.Count == 0)
        return result;
    int least = counts.Min();
    for (int times = counts.Max(); times >= least; times--)
        result.AddRange(distinct.Where(word => words.FindAll(w => w == word).Count == times));
    return result;
}
