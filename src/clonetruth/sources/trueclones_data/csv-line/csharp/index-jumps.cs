public string[] Split(string line)
{
    var result = new List<string>();
    int at = 0;
    while (true)
    {
        int end;
        if (at < line.Length && line[at] == '"')
        {
            var value = new StringBuilder();
            end = line.IndexOf('"', at + 1);
            value.Append(line, at + 1, end - at - 1);
            // every quote that follows directly opens the next part
            while (end + 1 < line.Length && line[end + 1] == '"')
            {
                int next = line.IndexOf('"', end + 2);
                value.Append(line, end + 1, next - end - 1);
                end = next;
            }
            result.Add(value.ToString());
            end++;
        }
        else
        {
            end = line.IndexOf(',', at);
            if (end < 0) end = line.Length;
            result.Add(line.Substring(at, end - at));
        }
        if (end >= line.Length) return result.ToArray();
        at = end + 1;
    }
}
