public string Without(string text)
{
    string result = "";
    int at = 0;
    while (at < text.Length)
    {
        int end;
        if (string.CompareOrdinal(text, at, "//", 0, 2) == 0)
        {
            end = text.IndexOf('\n', at);
            at = end < 0 ? text.Length : end;
        }
        else if (string.CompareOrdinal(text, at, "/*", 0, 2) == 0)
        {
            end = text.IndexOf("*/", at + 2, StringComparison.Ordinal);
            at = end < 0 ? text.Length : end + 2;
            result += " ";
        }
        else
        {
            end = text[at] == '"' ? StringEnd(text, at) : at + 1;
            result += text.Substring(at, end - at);
            at = end;
        }
    }
    return result;
}

private static int StringEnd(string text, int start)
{
    int quote = text.IndexOf('"', start + 1);
    while (quote >= 0)
    {
        int slashes = 0;
        while (text[quote - 1 - slashes] == '\\') slashes++;
        if (slashes % 2 == 0) return quote + 1;
        quote = text.IndexOf('"', quote + 1);
    }
    return text.Length;
}
