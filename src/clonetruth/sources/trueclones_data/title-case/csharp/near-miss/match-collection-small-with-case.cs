static string TitleCase(string text)
{
    char[] letters = text.ToLowerInvariant().ToCharArray();
    MatchCollection words = Regex.Matches(text, "[A-Za-z']+");
    var small = new HashSet<string> { "a", "an", "and", "of", "or", "the", "to" };
    for (int i = 0; i < words.Count; i++)
    {
        bool inside = i > 0 && i < words.Count - 1;
        if (inside && small.Contains(words[i].Value)) continue;
        letters[words[i].Index] = char.ToUpperInvariant(letters[words[i].Index]);
    }
    return new string(letters);
}
