static string Lookup(string query, string key)
{
    int at = 0;
    while (at < query.Length)
    {
        int end = query.IndexOf('&', at);
        if (end < 0) end = query.Length;
        int equals = query.IndexOf('=', at, end - at);
        int nameEnd = equals < 0 ? end : equals;
        if (equals > at && Decoded(query, at, nameEnd) == key)
            return equals < 0 ? "" : Decoded(query, equals + 1, end);
        at = end + 1;
    }
    return "(none)";
}

static string Decoded(string text, int from, int to)
{
    var plain = new StringBuilder();
    for (int i = from; i < to; i++)
    {
        if (text[i] == '%')
        {
            plain.Append((char)byte.Parse(text.Substring(i + 1, 2), NumberStyles.HexNumber));
            i += 2;
        }
        else
        {
            plain.Append(text[i] == '+' ? ' ' : text[i]);
        }
    }
    return plain.ToString();
}
