static List<string> Justify(string text, int width)
{
    var words = new Queue<string>(text.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries));
    var lines = new List<string>();
    while (words.Count > 0)
    {
        var row = new List<string> { words.Dequeue() };
        while (words.Count > 0 && row.Sum(w => w.Length + 1) + words.Peek().Length < width) row.Add(words.Dequeue());
        int missing = words.Count == 0 ? 0 : width - string.Join(" ", row).Length;
        for (int i = 0; i < missing && row.Count > 1; i++) row[i % (row.Count - 1)] += " ";
        lines.Add(string.Join(" ", row));
    }
    return lines;
}
