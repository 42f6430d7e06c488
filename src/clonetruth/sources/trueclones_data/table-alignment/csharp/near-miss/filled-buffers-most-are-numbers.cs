static List<string> Format(List<List<string>> rows)
{
    var lines = rows.Select(row => new StringBuilder()).ToList();
    int columns = rows.Count == 0 ? 0 : rows[0].Count;
    for (int c = 0; c < columns; c++)
    {
        int width = 0, numbers = 0;
        foreach (var row in rows)
        {
            width = Math.Max(width, row[c].Length);
            string digits = row[c].Length > 1 && row[c][0] == '-' ? row[c].Substring(1) : row[c];
            if (digits != "" && digits.All(d => d >= '0' && d <= '9')) numbers++;
        }
        for (int r = 0; r < rows.Count; r++)
        {
            if (c > 0) lines[r].Append(" | ");
            int missing = width - rows[r][c].Length;
            if (numbers == rows.Count || numbers > 1 && numbers == rows.Count - 1) lines[r].Append(' ', missing).Append(rows[r][c]);
            else lines[r].Append(rows[r][c]).Append(' ', missing);
        }
    }
    return lines.ConvertAll(line => line.ToString().TrimEnd(' '));
}
