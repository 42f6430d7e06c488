static List<string> Wrap(string text, int width)
{
    var lines = new List<string>();
    var current = new StringBuilder();
    foreach (string word in text.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries))
    {
        if (current.Length > 0)
        {
            if (current.Length + word.Length <= width)
            {
                current.Append(' ').Append(word);
                continue;
            }
            lines.Add(current.ToString());
            current.Clear();
        }
        current.Append(word);
    }
    if (current.Length > 0) lines.Add(current.ToString());
    return lines;
}
