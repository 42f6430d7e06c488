public IEnumerable<string> Block(string text, int width)
{
    var words = Regex.Split(text.Trim(), " +");
    int first = 0;
    while (text.Trim() != "" && first < words.Length)
    {
        int end = first + 1, letters = words[first].Length;
        for (; end < words.Length && letters + words[end].Length + end - first <= width; end++)
            letters += words[end].Length;
        int gaps = end - first - 1, spaces = end < words.Length ? width - letters : gaps;
        var line = new StringBuilder(words[first]);
        for (int g = 1; g <= gaps; g++)
        {
            // spaces up to gap g, less those up to the gap before
            int upTo = spaces / gaps * g + Math.Min(g, spaces % gaps);
            int before = spaces / gaps * (g - 1) + Math.Min(g - 1, spaces % gaps);
            line.Append(new string(' ', upTo - before)).Append(words[first + g]);
        }
        yield return line.ToString();
        first = end;
    }
}
