static string ToSnakeCase(string text)
{
    string marked = Regex.Replace(text, "(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])", " $0");
    var words = marked.Split(new[] { ' ', '_' }, StringSplitOptions.RemoveEmptyEntries);
    return string.Join("_", words).ToLowerInvariant();
}
