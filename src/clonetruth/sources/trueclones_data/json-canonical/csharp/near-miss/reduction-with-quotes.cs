// Replaces values by numbered marks from the inside out, as a bottom-up parser does.
public string Normalise(string text)
{
    var known = new List<string>();
    string rest = Regex.Replace(text, "\"[^\"]*\"", m => Mark(known, m.Value, 's'));
    if (rest.Contains("\"")) return "error";
    rest = Regex.Replace(rest, @"(?<![A-Za-z0-9<])(true|false|null|0|[1-9][0-9]*)(?![A-Za-z0-9>])", m => Mark(known, m.Value, 'v'));
    string before;
    do
    {
        before = rest;
        rest = Regex.Replace(rest, @"\[ *(<[sv]\d+>( *, *<[sv]\d+>)*)? *\]", m => Mark(known, List(known, m.Value), 'v'));
        rest = Regex.Replace(rest, @"\{ *(<s\d+> *: *<[sv]\d+>( *, *<s\d+> *: *<[sv]\d+>)*)? *\}", m => Mark(known, Map(known, m.Value), 'v'));
    } while (rest != before);
    return Regex.IsMatch(rest, @"^ *<[sv]\d+> *\z") ? Lookup(known, rest).Single() : "error";
}

private static string Mark(List<string> known, string value, char kind)
{
    known.Add(value);
    return $"<{kind}{known.Count - 1}>";
}

private static IEnumerable<string> Lookup(List<string> known, string text)
{
    return Regex.Matches(text, @"<[sv](\d+)>").Cast<Match>().Select(m => known[int.Parse(m.Groups[1].Value)]);
}

private static string List(List<string> known, string text)
{
    return "[" + string.Join(",", Lookup(known, text)) + "]";
}

private static string Map(List<string> known, string text)
{
    var found = Lookup(known, text).ToArray();
    var members = new Dictionary<string, string>();
    for (int i = 0; i < found.Length; i += 2)
        members[found[i]] = found[i + 1];
    var sorted = members.OrderBy(m => m.Key, StringComparer.Ordinal);
    return "{" + string.Join(",", sorted.Select(m => m.Key + ":" + m.Value)) + "}";
}
