static string Lookup(List<string> lines, string section, string key)
{
    string current = null, found = "(missing)";
    foreach (string line in lines)
    {
        Match m;
        if (Regex.IsMatch(line, @"^ *([;#]|$)"))
            continue;
        if ((m = Regex.Match(line, @"^ *\[(.*)\] *$")).Success)
            current = m.Groups[1].Value.Trim(' ');
        else if ((m = Regex.Match(line, @"^ *([^=]*?) *=(.*)$")).Success && current == section && m.Groups[1].Value == key)
            found = m.Groups[2].Value.Trim(' ');
    }
    return found;
}
