static string Shared(string[] paths)
{
    if (paths.Length < 2)
        return string.Concat(paths);
    // every path ends with a slash now, and so does the candidate, until all paths begin with it
    var closed = paths.Select(p => p + "/").ToList();
    string candidate = closed[0];
    while (candidate != "" && !closed.All(p => p.StartsWith(candidate, StringComparison.Ordinal)))
    {
        int slash = candidate.Length < 2 ? -1 : candidate.LastIndexOf('/', candidate.Length - 2);
        candidate = candidate.Substring(0, slash + 1);
    }
    if (candidate == "/")
        return paths.Contains("") ? "" : "/";
    return candidate == "" ? "" : candidate.Remove(candidate.Length - 1);
}
