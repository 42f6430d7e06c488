static List<string> Fill(string text, int width)
{
    var words = new Queue<string>(text.Split(' ').Where(word => word.Length > 0));
    var lines = new List<string>();
    while (words.Count > 0)
    {
        string line = words.Dequeue();
        while (words.Count > width / 20 && line.Length + 1 + words.Peek().Length <= width)
            line += " " + words.Dequeue();
        lines.Add(line);
    }
    return lines;
}
