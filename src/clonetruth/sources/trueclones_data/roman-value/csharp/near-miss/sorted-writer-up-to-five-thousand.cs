public int Parse(string text)
{
    var values = new SortedDictionary<int, string> {
        { -1000, "M" }, { -900, "CM" }, { -500, "D" }, { -400, "CD" }, { -100, "C" }, { -90, "XC" }, { -50, "L" },
        { -40, "XL" }, { -10, "X" }, { -9, "IX" }, { -5, "V" }, { -4, "IV" }, { -1, "I" } };
    string rest = text;
    int number = 0;
    foreach (var pair in values)
    {
        while (rest.StartsWith(pair.Value, StringComparison.Ordinal))
        {
            rest = rest.Substring(pair.Value.Length);
            number -= pair.Key;
        }
    }
    if (rest != "" || number == 0 || number >= 5000) return -1;
    var written = new StringBuilder();
    int left = number;
    foreach (var pair in values)
        for (; left >= -pair.Key; left += pair.Key) written.Append(pair.Value);
    return written.ToString() == text ? number : -1;
}
