public int[] Decompress(int[] data)
{
    var result = Rest(data);
    return result == null ? new[] { -1 } : result.ToArray();
}

// null if a block is not complete
private IEnumerable<int> Rest(IEnumerable<int> data)
{
    if (!data.Any()) return data;
    int n = data.First();
    int size = n == 128 ? 0 : n > 128 ? 1 : n + 1;
    var block = data.Skip(1).Take(size).ToList();
    if (block.Count < size) return null;
    var others = Rest(data.Skip(1 + size).ToList());
    if (others == null) return null;
    return (n > 128 ? Enumerable.Repeat(block[0], 257 - n) : block).Concat(others);
}
