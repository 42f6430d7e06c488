static int[] Summarize(string[] before, string[] after)
{
    var last = before.Aggregate(new int[after.Length + 1], (row, line) => NextRow(row, line, after));
    int kept = last[after.Length];
    return new[] { kept, before.Length - kept, after.Length - kept };
}

static int[] NextRow(int[] row, string line, string[] after)
{
    var next = new int[row.Length];
    for (int j = 0; j < after.Length; j++)
    {
        next[j + 1] = line == after[j] ? next[j] + 1 : Math.Max(row[j + 1], next[j]);
    }
    return next;
}
