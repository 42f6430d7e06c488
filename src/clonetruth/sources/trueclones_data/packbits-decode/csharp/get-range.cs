static List<int> Decode(List<int> data)
{
    var result = new List<int>();
    for (int at = 0; at < data.Count;)
    {
        int n = data[at++];
        if (n == 128) continue;
        int stored = n < 128 ? n + 1 : 1;
        if (at + stored > data.Count) return new List<int> { -1 };
        var block = data.GetRange(at, stored);
        result.AddRange(n < 128 ? block : Enumerable.Repeat(block[0], 257 - n));
        at += stored;
    }
    return result;
}
