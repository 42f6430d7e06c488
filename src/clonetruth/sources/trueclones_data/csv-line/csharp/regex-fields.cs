static List<string> Fields(string line)
{
    return Regex.Matches("," + line, ",(?:\"((?:[^\"]|\"\")*)\"|([^,]*))")
        .Cast<Match>()
        .Select(m => m.Groups[1].Success ? m.Groups[1].Value.Replace("\"\"", "\"") : m.Groups[2].Value)
        .ToList();
}
