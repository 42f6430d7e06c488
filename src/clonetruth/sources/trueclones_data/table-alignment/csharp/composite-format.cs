public List<string> Render(List<List<string>> rows) {
    var lines = new List<string>();
    if (rows.Count == 0) return lines;
    var format = new StringBuilder();
    for (int c = 0; c < rows[0].Count; c++) {
        int width = 0;
        bool numbers = true;
        foreach (var row in rows) {
            width = Math.Max(width, row[c].Length);
            numbers &= IsNumber(row[c]);
        }
        if (c > 0) format.Append(" | ");
        format.Append('{').Append(c);
        if (width > 0) format.Append(numbers ? "," : ",-").Append(width);
        format.Append('}');
    }
    foreach (var row in rows) lines.Add(string.Format(format.ToString(), row.ToArray()).TrimEnd(' '));
    return lines;
}

static bool IsNumber(string cell) {
    string digits = cell.StartsWith("-", StringComparison.Ordinal) ? cell.Substring(1) : cell;
    if (digits.Length == 0) return false;
    foreach (char c in digits) if (c < '0' || c > '9') return false;
    return true;
}
