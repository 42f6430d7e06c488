static string Ranges(IEnumerable<int> numbers)
{
    var runs = numbers.Distinct().OrderBy(n => n)
        .Select((n, rank) => new { n, key = n - rank })
        .GroupBy(one => one.key, one => one.n);
    return string.Join(",", runs.Select(run => run.Count() > 2 ? run.First() + "-" + run.Last() : string.Join(",", run)));
}
