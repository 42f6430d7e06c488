static string Render(string template, List<string> names, List<string> values)
{
    var text = new StringBuilder();
    int at = 0;
    while (at < template.Length)
    {
        char c = template[at];
        bool twice = at + 1 < template.Length && template[at + 1] == c;
        if ((c == '{' || c == '}') && twice)
        {
            text.Append(c);
            at += 2;
            continue;
        }
        int end = at + 1;
        while (c == '{' && end < template.Length && template[end] >= 'a' && template[end] <= 'z') end++;
        bool placeholder = end > at + 1 && end < template.Length && template[end] == '}';
        if (!placeholder)
        {
            text.Append(c);
            at++;
            continue;
        }
        int index = names.IndexOf(template.Substring(at + 1, end - at - 1));
        if (index >= 0 && index < values.Count) text.Append(values[index]);
        else text.Append(template, at, end + 1 - at);
        at = end + 1;
    }
    return text.ToString();
}
