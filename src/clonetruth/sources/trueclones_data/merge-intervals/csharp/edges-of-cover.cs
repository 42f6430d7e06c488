static int[][] Merge(int[][] ranges)
{
    Func<int, bool> covered = n => ranges.Any(r => Math.Min(r[0], r[1]) <= n && n <= Math.Max(r[0], r[1]));
    var numbers = Enumerable.Range(-50, 101).Where(covered).ToList();
    var starts = numbers.Where(n => !covered(n - 1));
    var ends = numbers.Where(n => !covered(n + 1));
    return starts.Zip(ends, (first, last) => new[] { first, last }).ToArray();
}
