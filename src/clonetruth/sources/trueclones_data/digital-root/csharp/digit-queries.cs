static int[] DigitalRoot(int number, int radix)
{
    var chain = new List<int> { number };
    while (chain.Last() >= radix)
        chain.Add(Digits(chain.Last(), radix).Sum());
    return new[] { chain.Last(), chain.Count - 1 };
}

static IEnumerable<int> Digits(int value, int radix)
{
    for (; value != 0; value /= radix)
        yield return value % radix;
}
