static string[] Align(string[][] rows)
{
    if (rows.Length == 0) return new string[0];
    var pads = Enumerable.Range(0, rows[0].Length).Select(c =>
    {
        var cells = rows.Select(row => row[c]).ToList();
        int width = cells.Max(cell => cell.Length);
        bool right = cells.All(cell => Regex.IsMatch(cell, "^-?[0-9]+$"));
        Func<string, string> pad = cell => right ? cell.PadLeft(width) : cell.PadRight(width);
        return pad;
    }).ToArray();
    return rows.Select(row => string.Join(" | ", row.Zip(pads, (cell, pad) => pad(cell))).TrimEnd(' ')).ToArray();
}
