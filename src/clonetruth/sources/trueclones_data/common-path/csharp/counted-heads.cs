static string Common(List<string> paths)
{
    if (paths.Count < 2)
        return paths.FirstOrDefault() ?? "";
    // every beginning of a path that ends with a component, and how many paths have it
    var counts = new Dictionary<string, int>();
    foreach (string path in paths)
    {
        for (int i = 0; i <= path.Length; i++)
        {
            if (i < path.Length && path[i] != '/')
                continue;
            string head = path.Substring(0, i);
            int seen;
            counts.TryGetValue(head, out seen);
            counts[head] = seen + 1;
        }
    }
    var shared = counts.Keys.Where(head => counts[head] == paths.Count).OrderBy(head => head.Length).ToList();
    if (shared.Count == 0)
        return "";
    string longest = shared[shared.Count - 1];
    return longest.Length > 0 || paths.Contains("") ? longest : "/";
}
