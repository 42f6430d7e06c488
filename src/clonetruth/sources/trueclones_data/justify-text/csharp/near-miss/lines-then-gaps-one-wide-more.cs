public string[] Lines(string text, int width)
{
    var rows = new List<List<string>>();
    foreach (Match word in Regex.Matches(text, "[a-z]+"))
    {
        var last = rows.LastOrDefault();
        if (last == null || last.Sum(w => w.Length) + last.Count + word.Length > width) rows.Add(last = new List<string>());
        last.Add(word.Value);
    }
    return rows.Select((row, i) => i + 1 < rows.Count ? Fill(row, width) : string.Join(" ", row)).ToArray();
}

private static string Fill(List<string> row, int width)
{
    int gaps = row.Count - 1, spaces = width - row.Sum(w => w.Length);
    if (gaps == 0) return row[0];
    int wide = spaces % gaps;
    // the words before a wide gap bring a space with them
    return string.Join(new string(' ', spaces / gaps), row.Select((word, i) => i <= wide ? word + " " : word));
}
