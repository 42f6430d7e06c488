static IEnumerable<int> Decode(IEnumerable<int> data)
{
    int value = 0, count = 0;
    foreach (int b in data)
    {
        if (++count > 4) break;
        value += b % 128 * (int)Math.Pow(128, count - 1);
        if (b >= 128) continue;
        yield return value;
        value = count = 0;
    }
    if (count > 0) yield return -1;
}
