static List<int> Decode(string text)
{
    string trimmed = Regex.Replace(text, @" +(?=\n|\z)", "");
    var bytes = new List<int>();
    foreach (Match m in Regex.Matches(trimmed, @"=\n|=([0-9A-Fa-f]{2})|[\s\S]"))
    {
        if (m.Value == "=\n") continue;
        bytes.Add(m.Groups[1].Success ? Convert.ToInt32(m.Groups[1].Value, 16) : m.Value[0]);
    }
    return bytes;
}
