static string Expand(string template, string[] names, string[] values)
{
    return Regex.Replace(template, @"\{\{|\}\}|\{([a-z]+)\}", match =>
    {
        if (match.Value == "{{") return "{";
        if (match.Value == "}}") return "}";
        int index = Array.LastIndexOf(names, match.Groups[1].Value);
        return index >= 0 && index < values.Length ? values[index] : match.Value;
    });
}
