// Every parser returns the position behind what it read, or -1; the canonical text goes into `to`.
static string Canonical(string text)
{
    var to = new StringBuilder();
    int end = Value(text, 0, to);
    return end >= 0 && text.Substring(end).Trim(' ') == "" ? to.ToString() : "error";
}

static int Value(string s, int i, StringBuilder to)
{
    i = Skip(s, i);
    if (i == s.Length) return -1;
    if (s[i] == '{') return Object(s, i + 1, to);
    if (s[i] == '[') return Array(s, i + 1, to);
    var match = new Regex("\\G(\"[^\"]*\"|true|false|null|0|[1-9][0-9]*)").Match(s, i);
    if (!match.Success) return -1;
    to.Append(match.Value);
    return i + match.Length;
}

static int Array(string s, int i, StringBuilder to)
{
    to.Append('[');
    if (At(s, i) == ']')
    {
        to.Append(']');
        return Skip(s, i) + 1;
    }
    while (true)
    {
        i = Value(s, i, to);
        if (i < 0) return -1;
        char c = At(s, i);
        if (c != ',' && c != ']') return -1;
        to.Append(c);
        i = Skip(s, i) + 1;
        if (c == ']') return i;
    }
}

static int Object(string s, int i, StringBuilder to)
{
    var members = new SortedDictionary<string, string>(StringComparer.Ordinal);
    char c = At(s, i) == '}' ? '}' : ',';
    if (c == '}') i = Skip(s, i) + 1;
    while (c == ',')
    {
        i = Skip(s, i);
        if (i == s.Length || s[i] != '"') return -1;
        int quote = s.IndexOf('"', i + 1);
        if (quote < 0 || At(s, quote + 1) != ':') return -1;
        string key = s.Substring(i + 1, quote - i - 1);
        var value = new StringBuilder();
        i = Value(s, Skip(s, quote + 1) + 1, value);
        if (i < 0) return -1;
        members[key] = value.ToString();
        c = At(s, i);
        if (c != ',' && c != '}') return -1;
        i = Skip(s, i) + 1;
    }
    to.Append('{').Append(string.Join(",", members.Select(m => '"' + m.Key + "\":" + m.Value))).Append('}');
    return i;
}

static int Skip(string s, int i)
{
    while (i < s.Length && s[i] == ' ') i++;
    return i;
}

static char At(string s, int i)
{
    i = Skip(s, i);
    return i < s.Length ? s[i] : '\0';
}
