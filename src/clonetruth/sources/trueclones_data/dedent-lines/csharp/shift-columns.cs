static List<string> Outdent(List<string> lines)
{
    var kept = lines.ConvertAll(line => line.TrimEnd(' ').Length == 0 ? "" : line);
    while (kept.Count > 0 && kept[0] == "")
        kept.RemoveAt(0);
    while (kept.Count > 0 && kept[kept.Count - 1] == "")
        kept.RemoveAt(kept.Count - 1);
    if (kept.Count == 0)
        return kept;

    int column = 0;
    while (kept.TrueForAll(line => line == "" || line[column] == ' '))
        column++;
    for (int i = 0; i < kept.Count; i++)
    {
        if (kept[i] != "")
            kept[i] = kept[i].Substring(column);
    }
    return kept;
}
