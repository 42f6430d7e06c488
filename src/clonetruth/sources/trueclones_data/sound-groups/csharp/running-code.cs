public List<int> FirstOf(List<string> names)
{
    var known = new List<string>();
    var first = new List<int>();
    for (int n = 0; n < names.Count; n++)
    {
        var code = new StringBuilder(names[n].Substring(0, 1).ToUpperInvariant());
        char before = Digit(names[n][0]);
        foreach (char c in names[n].Skip(1))
        {
            if ("hHwW".IndexOf(c) >= 0) continue;
            char digit = Digit(c);
            if (digit != before && digit != ' ') code.Append(digit);
            before = digit;
        }
        code.Append('0', 3);
        code.Length = 4;
        known.Add(code.ToString());
        first.Add(known.IndexOf(code.ToString()));
    }
    return first;
}

private static char Digit(char c)
{
    string[] groups = { "BFPV", "CGJKQSXZ", "DT", "L", "MN", "R" };
    for (int g = 0; g < groups.Length; g++)
        if (groups[g].Contains(char.ToUpperInvariant(c).ToString())) return (char)('1' + g);
    return ' ';
}
