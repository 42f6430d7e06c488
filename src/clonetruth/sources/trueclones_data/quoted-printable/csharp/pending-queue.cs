public IEnumerable<int> Decoded(string text)
{
    var left = new Queue<char>(Trimmed(text));
    while (left.Count > 0)
    {
        char c = left.Dequeue();
        if (c != '=')
        {
            yield return c;
            continue;
        }
        char[] next = left.Take(2).ToArray();
        if (next.Length > 0 && next[0] == '\n')
        {
            left.Dequeue();
        }
        else if (next.Length == 2 && next.All(Uri.IsHexDigit))
        {
            yield return Convert.ToByte(new string(next), 16);
            left.Dequeue();
            left.Dequeue();
        }
        else
        {
            yield return '=';
        }
    }
}

private static string Trimmed(string text)
{
    while (text.Contains(" \n")) text = text.Replace(" \n", "\n");
    return text.TrimEnd(' ');
}
