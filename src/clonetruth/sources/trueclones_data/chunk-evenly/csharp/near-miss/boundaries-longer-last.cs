static List<List<int>> Chunk(List<int> numbers, int chunks)
{
    // boundary i is after ceil(n * i / chunks) ... counted from the end, so that the longer ones come first
    int n = numbers.Count;
    var result = new List<List<int>>();
    for (int i = chunks; i > 0; i--)
    {
        int start = n - n * i / chunks;
        int end = n - n * (i - 1) / chunks;
        result.Add(numbers.GetRange(start, end - start));
    }
    return Sorted(result);
}

// Cuts by rounding spread the longer chunks; only lengths are taken from them.
static List<List<int>> Sorted(List<List<int>> cut)
{
    var all = cut.SelectMany(c => c).ToList();
    var lengths = cut.Select(c => c.Count).OrderBy(length => length);
    int position = 0;
    return lengths.Select(length => all.GetRange((position += length) - length, length)).ToList();
}
