static List<string> Edited(List<string> lines, List<string> edits)
{
    var entries = new List<(int Place, string Text)>();
    for (int i = 0; i < lines.Count; i++)
        entries.Add((2 * i + 2, lines[i]));
    foreach (string edit in edits)
    {
        int place = 2 * (edit[0] - '0');
        if (place > 2 * lines.Count) continue;
        if (edit[1] == '+')
        {
            entries.Add((place + 1, edit.Substring(2)));
            continue;
        }
        entries.RemoveAll(entry => entry.Place == place);
        if (edit[1] == '=' && place > 0) entries.Add((place, edit.Substring(2)));
    }
    // sorting by OrderBy keeps the order of equal places
    return entries.OrderBy(entry => entry.Place).Select(entry => entry.Text).ToList();
}
