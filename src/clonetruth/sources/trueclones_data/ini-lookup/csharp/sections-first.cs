public string Get(string[] lines, string section, string key)
{
    var clean = lines.Select(l => l.Trim(' ')).Where(l => l != "" && l[0] != ';' && l[0] != '#').ToList();
    var values = new Stack<string>();
    values.Push("(missing)");
    int at = 0;
    while (at < clean.Count)
    {
        // skip to the section, then take its lines
        bool wanted = IsHeader(clean[at]) && Name(clean[at]) == section;
        at++;
        if (!wanted) continue;
        for (; at < clean.Count && !IsHeader(clean[at]); at++)
        {
            string[] halves = clean[at].Split(new[] { '=' }, 2);
            if (halves.Length == 2 && halves[0].TrimEnd(' ') == key)
                values.Push(halves[1].TrimStart(' '));
        }
    }
    return values.Peek();
}

private static bool IsHeader(string line)
{
    return line.StartsWith("[") && line.EndsWith("]");
}

private static string Name(string header)
{
    return header.Substring(1, header.Length - 2).Trim(' ');
}
