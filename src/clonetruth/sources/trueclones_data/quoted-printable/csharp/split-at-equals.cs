static List<int> Bytes(string text)
{
    string trimmed = string.Join("\n", text.Split('\n').Select(line => line.TrimEnd(' '))).Replace("=\n", "\uE000");
    // a character that no text has stands for a soft line break
    string[] parts = trimmed.Split('=');
    var bytes = parts[0].Select(c => (int)c).ToList();
    foreach (string part in parts.Skip(1))
    {
        int value, used = 0;
        bool coded = part.Length > 1 && int.TryParse(part.Substring(0, 2), NumberStyles.AllowHexSpecifier, null, out value);
        if (coded)
        {
            bytes.Add(Convert.ToInt32(part.Substring(0, 2), 16));
            used = 2;
        }
        else
        {
            bytes.Add('=');
        }
        bytes.AddRange(part.Skip(used).Select(c => (int)c));
    }
    bytes.RemoveAll(b => b == 0xE000);
    return bytes;
}
