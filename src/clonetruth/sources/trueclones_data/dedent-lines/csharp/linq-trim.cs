static IEnumerable<string> Dedent(List<string> lines)
{
    var trimmed = lines.Select(line => line.TrimEnd(' ') == "" ? "" : line).ToList();
    int margin = trimmed.Where(line => line != "").Select(line => line.Length - line.TrimStart(' ').Length)
        .DefaultIfEmpty(0).Min();
    return trimmed
        .SkipWhile(line => line == "")
        .Reverse().SkipWhile(line => line == "").Reverse()
        .Select(line => line == "" ? line : line.Substring(margin))
        .ToList();
}
