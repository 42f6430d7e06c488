public string Beginning(string text, int limit)
{
    var kept = new StringBuilder();
    foreach (int point in CodePoints(text))
    {
        limit -= point > 0xFFFF ? 4 : point > 0x7FF ? 3 : point > 0x7F ? 2 : 1;
        if (limit < 0)
            break;
        kept.Append(char.ConvertFromUtf32(point));
    }
    return kept.ToString();
}

private static IEnumerable<int> CodePoints(string text)
{
    for (int i = 0; i < text.Length; i++)
    {
        yield return char.ConvertToUtf32(text, i);
        if (char.IsHighSurrogate(text[i])) i++;
    }
}
