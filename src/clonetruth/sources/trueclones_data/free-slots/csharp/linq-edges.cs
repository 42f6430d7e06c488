static IEnumerable<int[]> Free(int[][] busy, int length)
{
    Func<int, bool> taken = hour => hour < 0 || hour > 23 || busy.Any(b => b[0] <= hour && hour < b[1]);
    var begins = Enumerable.Range(0, 24).Where(hour => taken(hour - 1) && !taken(hour));
    var ends = Enumerable.Range(1, 24).Where(hour => !taken(hour - 1) && taken(hour));
    return begins.Zip(ends, (from, to) => new[] { from, to }).Where(slot => slot[1] - slot[0] >= length).ToList();
}
