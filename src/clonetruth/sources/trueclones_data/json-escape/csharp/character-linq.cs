static string Quote(string text)
{
    return "\"" + string.Concat(text.Select(Shown)) + "\"";
}

static string Shown(char c)
{
    int special = "\"\\\b\f\n\r\t".IndexOf(c);
    if (special >= 0)
        return "\\" + "\"\\bfnrt"[special];
    bool plain = c > 31 && c < 127;
    return plain ? c.ToString() : "\\u" + Convert.ToString(c, 16).PadLeft(4, '0');
}
