public string Words(string text)
{
    var words = new List<string> { "" };
    for (int i = 0; i < text.Length; i++)
    {
        if (" _-".Contains(text[i].ToString()))
        {
            words.Add("");
            continue;
        }
        bool capital = char.IsUpper(text[i]);
        string word = words[words.Count - 1];
        bool follows = word.Length > 0 && char.IsUpper(word[word.Length - 1]);
        bool small = i + 1 < text.Length && char.IsLower(text[i + 1]);
        if (capital && (!follows || small)) words.Add("");
        words[words.Count - 1] += text[i];
    }
    return string.Join("_", words.Where(word => word != "")).ToLower();
}
