// Splits at every comma, and joins pieces again as long as a quote is open.
static IList<string> Parse(string line)
{
    var fields = new List<string>();
    string pending = null;
    foreach (string piece in line.Split(','))
    {
        pending = pending == null ? piece : pending + "," + piece;
        if (pending.Count(c => c == '"') % 2 == 1)
            continue;
        fields.Add(pending.StartsWith("\"") ? Unquote(pending) : pending);
        pending = null;
    }
    return fields;
}

static string Unquote(string text)
{
    return text.Substring(1, text.Length - 2).Replace("\"\"", "\"");
}
