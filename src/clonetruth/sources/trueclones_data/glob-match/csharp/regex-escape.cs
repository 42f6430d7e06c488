static bool Matches(string pattern, string path)
{
    string expression = Regex.Escape(pattern).Replace(@"\*", "[^/]*").Replace(@"\?", "[^/]");
    return Regex.IsMatch(path, "^(" + expression + ")$");
}
