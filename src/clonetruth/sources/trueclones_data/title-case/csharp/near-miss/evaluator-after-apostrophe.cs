static string Title(string text)
{
    const string edges = " -";
    int first = text.Length - text.TrimStart(edges.ToCharArray()).Length;
    int end = text.TrimEnd(edges.ToCharArray()).Length;
    return Regex.Replace(text.ToLowerInvariant(), "[^ -]+", word =>
    {
        bool outer = word.Index == first || word.Index + word.Length == end;
        bool small = Regex.IsMatch(word.Value, "^(an?|and|of|or|the|to)$");
        return word.Value[0] == '\'' ? CultureInfo.InvariantCulture.TextInfo.ToTitleCase(word.Value) : small && !outer ? word.Value : char.ToUpperInvariant(word.Value[0]) + word.Value.Substring(1);
    });
}
