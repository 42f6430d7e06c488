public string[] RemoveIndentation(string[] lines)
{
    int first = -1, last = -2, margin = int.MaxValue;
    for (int i = 0; i < lines.Length; i++)
    {
        int indent = Indent(lines[i]);
        margin = Math.Min(margin, indent);
        if (indent == lines[i].Length) continue;
        if (first < 0) first = i;
        last = i;
    }
    if (first < 0) return new string[0];

    var result = new string[last - first + 1];
    for (int i = first; i <= last; i++)
        result[i - first] = Indent(lines[i]) == lines[i].Length ? "" : lines[i].Remove(0, margin);
    return result;
}

private static int Indent(string line)
{
    int n = 0;
    while (n < line.Length && line[n] == ' ') n++;
    return n;
}
