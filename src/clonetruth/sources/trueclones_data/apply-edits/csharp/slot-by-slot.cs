public IEnumerable<string> Apply(string[] lines, string[] edits)
{
    for (int number = 0; number <= lines.Length; number++)
    {
        char digit = (char)('0' + number);
        string text = number == 0 ? null : lines[number - 1];
        var inserted = new Queue<string>();
        foreach (string edit in edits.Where(e => e[0] == digit))
        {
            if (edit[1] == '+') inserted.Enqueue(edit.Substring(2));
            if (edit[1] == '-') text = null;
            if (edit[1] == '=' && number > 0) text = edit.Substring(2);
        }
        if (text != null) yield return text;
        while (inserted.Count > 0) yield return inserted.Dequeue();
    }
}
