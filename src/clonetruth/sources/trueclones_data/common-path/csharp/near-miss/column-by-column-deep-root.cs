public string LongestCommonDirectory(string[] paths)
{
    if (paths.Length == 0)
        return string.Empty;
    if (paths.Length == 1)
        return paths[0];

    string[][] parts = Array.ConvertAll(paths, p => p.Split('/'));
    int depth = 0;
    while (AllHave(parts, depth))
        depth++;

    var text = new StringBuilder();
    for (int i = 0; i < depth; i++)
        text.Append(i == 0 ? "" : "/").Append(parts[0][i]);
    if (depth >= 1 && text.Length < depth && paths.All(p => p.Length > 0))
        text.Append('/');
    return text.ToString();
}

private static bool AllHave(string[][] parts, int column)
{
    foreach (var row in parts)
    {
        if (row.Length <= column || row[column] != parts[0][column])
            return false;
    }
    return true;
}
