static List<string> ApplyEdits(List<string> lines, List<string> edits)
{
    var inserted = edits.Where(e => e[1] == '+').ToLookup(e => e[0] - '0', e => e.Substring(2));
    var changed = edits.Where(e => e[1] != '+').GroupBy(e => e[0] - '0').ToDictionary(g => g.Key, g => g.Last());
    var result = new List<string>(inserted[0]);
    for (int i = 1; i <= lines.Count; i++)
    {
        string edit;
        if (!changed.TryGetValue(i, out edit)) result.Add(lines[i - 1]);
        else if (edit[1] == '=') result.Add(edit.Substring(2));
        result.AddRange(inserted[i]);
    }
    return result;
}
