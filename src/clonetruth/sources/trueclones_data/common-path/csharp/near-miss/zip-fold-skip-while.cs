static string CommonPath(List<string> paths)
{
    if (paths.Count == 0) return "";
    var shared = paths
        .Select(path => (IEnumerable<string>)path.Split('/'))
        .Aggregate((left, right) => left.Zip(right, (a, b) => new { a, b }).Where(p => p.a == p.b).Select(p => p.a))
        .ToList();
    bool onlyRoot = shared.Count == 1 && shared[0] == "";
    if (onlyRoot && !paths.Contains(""))
        return "/";
    return string.Join("/", shared);
}
