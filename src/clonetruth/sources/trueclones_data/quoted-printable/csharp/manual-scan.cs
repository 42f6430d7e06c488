public int[] Read(string text)
{
    var lines = text.Split('\n').Select(line => line.TrimEnd(' '));
    string s = string.Join("\n", lines);
    var result = new List<int>();
    int i = 0;
    while (i < s.Length)
    {
        int value;
        if (s[i] == '=' && i + 1 < s.Length && s[i + 1] == '\n')
        {
            i += 2;
        }
        else if (s[i] == '=' && i + 2 < s.Length && Uri.IsHexDigit(s[i + 1]) && Uri.IsHexDigit(s[i + 2]))
        {
            value = Uri.FromHex(s[i + 1]) * 16 + Uri.FromHex(s[i + 2]);
            result.Add(value);
            i += 3;
        }
        else
        {
            result.Add(s[i++]);
        }
    }
    return result.ToArray();
}
