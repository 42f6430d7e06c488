// The first (n % chunks) chunks are one longer, so a position finds its chunk by division.
static List<int[]> Parts(int[] numbers, int chunks)
{
    int size = numbers.Length / chunks, longer = numbers.Length % chunks;
    int border = longer * (size + 1);
    var byChunk = Enumerable.Range(0, numbers.Length)
        .ToLookup(p => p < border ? p / (size + 1) : longer + (p - border) / size, p => numbers[p]);
    return Enumerable.Range(0, chunks).Select(chunk => byChunk[chunk].ToArray()).ToList();
}
