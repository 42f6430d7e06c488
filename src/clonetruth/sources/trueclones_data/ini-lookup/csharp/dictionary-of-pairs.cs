static string Value(string[] lines, string section, string key)
{
    var values = new Dictionary<Tuple<string, string>, string>();
    string current = null;
    foreach (string line in lines.Select(line => line.Trim(' ')))
    {
        if (line.Length == 0 || line[0] == ';' || line[0] == '#')
            continue;
        if (line[0] == '[' && line[line.Length - 1] == ']')
        {
            current = line.Substring(1, line.Length - 2).Trim(' ');
            continue;
        }
        int equals = line.IndexOf('=');
        if (equals < 0) continue;
        string name = line.Substring(0, equals).TrimEnd(' ');
        values[Tuple.Create(current, name)] = line.Substring(equals + 1).Trim(' ');
    }
    string value;
    return values.TryGetValue(Tuple.Create(section, key), out value) ? value : "(missing)";
}
