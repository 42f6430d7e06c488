static string GetParameter(string query, string key)
{
    Func<string, string> decode = part => Uri.UnescapeDataString(part).Replace('+', ' ');
    var match = query.Split('&')
        .Where(pair => pair != "")
        .Select(pair => pair.Split(new[] { '=' }, 2))
        .FirstOrDefault(parts => decode(parts[0]) == key);
    if (match == null) return "(none)";
    return match.Length == 1 ? "" : decode(match[1]);
}
