public string Find(List<string> lines, string section, string key)
{
    for (int i = lines.Count - 1; i >= 0; i--)
    {
        string value = ValueOf(lines[i].Trim(' '), key);
        if (value == null) continue;
        // the section is the one that was opened last before this line
        int header = lines.FindLastIndex(i, line => Header(line.Trim(' ')) != null);
        if (header >= 0 && Header(lines[header].Trim(' ')) == section) return value;
    }
    return "(missing)";
}

private static string Header(string line)
{
    return Regex.IsMatch(line, @"^\[.*\]$") ? line.Trim('[', ']').Length + 2 == line.Length ? line.Trim('[', ']').Trim(' ') : line.Substring(1, line.Length - 2).Trim(' ') : null;
}

private static string ValueOf(string line, string key)
{
    if (line == "" || ";#".Contains(line[0].ToString()) || Header(line) != null) return null;
    string[] halves = line.Split(new[] { '=' }, 2);
    return halves.Length == 2 && halves[0].Trim(' ') == key ? halves[1].Trim(' ') : null;
}
