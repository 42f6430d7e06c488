static string Canonical(string text)
{
    var tokens = new Queue<string>();
    int at = 0;
    foreach (Match m in Regex.Matches(text, "\\G *(\"[^\"]*\"|[a-z0-9]+|[\\[\\]{}:,])"))
    {
        tokens.Enqueue(m.Groups[1].Value);
        at = m.Index + m.Length;
    }
    if (text.Substring(at).Trim(' ') != "") return "error";
    tokens.Enqueue("end");
    try
    {
        string value = Value(tokens);
        return tokens.Count == 1 ? value : "error";
    }
    catch (FormatException)
    {
        return "error";
    }
}

static string Value(Queue<string> tokens)
{
    string token = tokens.Dequeue();
    if (token == "[")
    {
        var items = new List<string>();
        for (string mark = tokens.Peek(); mark != "]"; mark = Separator(tokens, "]"))
            items.Add(Value(tokens));
        if (items.Count == 0) tokens.Dequeue();
        return "[" + string.Join(",", items) + "]";
    }
    if (token == "{")
    {
        var members = new SortedDictionary<string, string>(StringComparer.Ordinal);
        for (string mark = tokens.Peek(); mark != "}"; mark = Separator(tokens, "}"))
        {
            string key = tokens.Dequeue();
            if (key[0] != '"' || tokens.Dequeue() != ":") throw new FormatException();
            string value = Value(tokens);
            if (!members.ContainsKey(key.Trim('"'))) members[key.Trim('"')] = value;
        }
        if (members.Count == 0) tokens.Dequeue();
        return "{" + string.Join(",", members.Select(m => "\"" + m.Key + "\":" + m.Value)) + "}";
    }
    if (token[0] == '"' || Regex.IsMatch(token, "^(true|false|null|0|[1-9][0-9]*)$")) return token;
    throw new FormatException();
}

// The comma or the bracket behind an element, which is taken away.
static string Separator(Queue<string> tokens, string close)
{
    string mark = tokens.Dequeue();
    if (mark != "," && mark != close) throw new FormatException();
    return mark;
}
