public string[] Patch(string[] lines, string[] edits)
{
    var slots = new List<string>[lines.Length + 1];
    for (int i = 0; i < slots.Length; i++) slots[i] = new List<string> { i == 0 ? null : lines[i - 1] };
    foreach (string edit in edits)
    {
        int number = int.Parse(edit.Substring(0, 1));
        if (number > lines.Length) continue;
        string text = edit.Substring(2);
        if (edit[1] == '+') slots[number].Add(text);
        else if (number != 0) slots[number][0] = edit[1] == '-' ? null : text;
    }
    return slots.SelectMany(slot => slot).Where(line => !string.IsNullOrEmpty(line)).ToArray();
}
