public string Case(string text)
{
    var result = text.ToLowerInvariant().ToCharArray();
    var starts = new List<int>();
    for (int i = 0; i < result.Length; i++)
    {
        if (Separator(result[i])) continue;
        if (i == 0 || Separator(result[i - 1])) starts.Add(i);
    }
    var little = new[] { "a", "an", "and", "of", "or", "the", "to" };
    for (int n = 0; n < starts.Count; n++)
    {
        int end = starts[n];
        while (end < result.Length && !Separator(result[end])) end++;
        string word = new string(result, starts[n], end - starts[n]);
        bool middle = n != 0 && n != starts.Count - 1;
        if (!middle || Array.IndexOf(little, word) < 0)
            result[starts[n]] = char.ToUpperInvariant(word[0]);
    }
    return new string(result);
}

private static bool Separator(char c)
{
    return c == ' ' || c == '-';
}
