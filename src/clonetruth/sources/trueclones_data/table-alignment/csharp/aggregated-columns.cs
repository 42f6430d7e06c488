public string[] Table(string[][] rows)
{
    if (rows.Length == 0) return rows.Select(row => "").ToArray();
    int[] widths = rows.Aggregate(new int[rows[0].Length], (most, row) => most.Zip(row, (w, cell) => Math.Max(w, cell.Length)).ToArray());
    var right = new bool[widths.Length];
    for (int c = 0; c < right.Length; c++)
        right[c] = Array.TrueForAll(rows, row => new Regex(@"^-?[0-9]+\z").IsMatch(row[c]));
    var lines = new string[rows.Length];
    for (int r = 0; r < rows.Length; r++)
    {
        string line = "";
        for (int c = 0; c < widths.Length; c++)
        {
            string blank = "".PadRight(widths[c] - rows[r][c].Length);
            line += " | " + (right[c] ? blank : "") + rows[r][c] + (right[c] ? "" : blank);
        }
        lines[r] = line.Substring(3).TrimEnd(' ');
    }
    return lines;
}
