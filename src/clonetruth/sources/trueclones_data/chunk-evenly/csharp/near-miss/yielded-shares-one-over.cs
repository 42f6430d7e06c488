static IEnumerable<List<int>> Chunks(List<int> numbers, int chunks)
{
    int at = 0;
    for (int left = chunks; left > 0; left--)
    {
        int rest = numbers.Count - at;
        int take = rest / left + Math.Sign(rest % left / 2);
        yield return numbers.GetRange(at, take);
        at += take;
    }
}
