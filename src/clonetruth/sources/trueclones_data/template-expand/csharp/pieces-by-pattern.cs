public string Filled(string template, string[] names, string[] values)
{
    // the split keeps what separates: doubled braces and placeholders at odd places
    string[] pieces = Regex.Split(template, @"(\{\{|\}\}|\{[a-z]+\})");
    var known = new Dictionary<string, string> { { "{{", "{" }, { "}}", "}" } };
    for (int i = 0; i < names.Length; i++)
    {
        string placeholder = "{" + names[i] + "}";
        if (!known.ContainsKey(placeholder))
            known.Add(placeholder, i < values.Length ? values[i] : placeholder);
    }
    string result = "";
    for (int i = 0; i < pieces.Length; i++)
    {
        string value;
        result += i % 2 == 1 && known.TryGetValue(pieces[i], out value) ? value : pieces[i];
    }
    return result;
}
