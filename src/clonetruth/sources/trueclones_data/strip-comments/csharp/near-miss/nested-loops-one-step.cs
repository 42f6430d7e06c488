public string Remove(string text)
{
    var kept = new StringBuilder();
    int i = 0, n = text.Length;
    while (i < n)
    {
        char c = text[i], d = i + 1 < n ? text[i + 1] : '\0';
        if (c == '/' && d == '/')
        {
            while (i < n && text[i] != '\n') i++;
        }
        else if (c == '/' && d == '*')
        {
            kept.Append(' ');
            i += 2;
            while (i < n && !(text[i] == '*' && i + 1 < n && text[i + 1] == '/')) i++;
            i += 1;
        }
        else
        {
            kept.Append(c);
            i++;
            if (c != '"') continue;
            bool open = true;
            while (open && i < n)
            {
                if (text[i] == '\\' && i + 1 < n) kept.Append(text[i++]);
                else if (text[i] == '"') open = false;
                kept.Append(text[i++]);
            }
        }
    }
    return kept.ToString();
}
