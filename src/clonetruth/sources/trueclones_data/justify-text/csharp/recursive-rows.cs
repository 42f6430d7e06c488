static List<string> Rows(string text, int width)
{
    return From(text.Split(' ').Where(word => word != "").ToList(), width);
}

static List<string> From(List<string> words, int width)
{
    if (words.Count == 0) return new List<string>();
    int count = 1;
    while (count < words.Count && string.Join(" ", words.Take(count + 1)).Length <= width) count++;
    var row = words.Take(count).ToArray();
    if (count < words.Count)
    {
        for (int i = 0; count > 1 && row.Sum(word => word.Length) + count - 1 < width; i = (i + 1) % (count - 1))
            row[i] += " ";
    }
    var lines = From(words.Skip(count).ToList(), width);
    lines.Insert(0, string.Join(" ", row));
    return lines;
}
