static string Snake(string text)
{
    // capitals that no small letter follows, or one capital, and what follows in small letters and digits
    var words = Regex.Matches(text, "(?:[A-Z]+(?![a-z])|[A-Z])?[a-z0-9]+|[A-Z]+(?![a-z])");
    var parts = new List<string>();
    foreach (Match word in words)
        parts.Add(word.Value.ToLower());
    return string.Join("_", parts);
}
