// All bytes are one large number, which is written in base 64.
public string Text(int[] data, bool forUrl)
{
    BigInteger number = data.Aggregate(BigInteger.One, (n, b) => n * 256 + b);
    int missing = (3 - data.Length % 3) % 3;
    number <<= 8 * missing;
    var symbols = new List<char>();
    for (; number > 1; number /= 64)
        symbols.Insert(0, Symbol((int)(number % 64), forUrl));
    symbols.RemoveRange(symbols.Count - missing, missing);
    string text = new string(symbols.ToArray());
    return forUrl ? text : text.PadRight(text.Length + missing, '=');
}

private static char Symbol(int value, bool forUrl)
{
    if (value < 26) return (char)(value + 'A');
    if (value < 52) return (char)(value - 26 + 'a');
    if (value < 62) return (char)(value - 52 + '0');
    return forUrl ? "-_"[value - 62] : "+/"[value - 62];
}
