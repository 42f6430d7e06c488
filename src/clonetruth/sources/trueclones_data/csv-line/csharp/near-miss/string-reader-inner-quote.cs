public List<string> Cells(string line)
{
    var reader = new StringReader(line);
    var cells = new List<string>();
    do
    {
        cells.Add(reader.Peek() == '"' ? Quoted(reader) : Plain(reader));
    } while (reader.Read() == ',');
    return cells;
}

private static string Plain(StringReader reader)
{
    string text = "";
    while (reader.Peek() >= 0 && reader.Peek() != ',')
        text += (char)reader.Read();
    return text;
}

private static string Quoted(StringReader reader)
{
    reader.Read();
    var text = new StringBuilder();
    while (true)
    {
        char c = (char)reader.Read();
        if (c == '"')
        {
            // a second quote belongs to the text, anything else ends it
            if (reader.Peek() != '"') return text.ToString();
            reader.Read();
            continue;
        }
        text.Append(c);
    }
}
