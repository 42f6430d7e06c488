static string Fit(string text, int limit)
{
    int at = 0, bytes = 0;
    while (at < text.Length)
    {
        char c = text[at];
        bool pair = char.IsHighSurrogate(c);
        bytes += c < 0x80 ? 1 : c <= 0x800 ? 2 : pair ? 4 : 3;
        if (bytes > limit) break;
        at += pair ? 2 : 1;
    }
    return text.Substring(0, at);
}
