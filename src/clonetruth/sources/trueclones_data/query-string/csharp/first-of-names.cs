public string First(string query, string key)
{
    var values = new Dictionary<string, string>();
    foreach (string pair in query.Split(new[] { '&' }, StringSplitOptions.RemoveEmptyEntries))
    {
        string[] parts = pair.Split('=');
        string name = Decode(parts[0]);
        if (!values.ContainsKey(name))
            values.Add(name, Decode(string.Join("=", parts.Skip(1))));
    }
    string value;
    return values.TryGetValue(key, out value) ? value : "(none)";
}

private static string Decode(string coded)
{
    // every part behind a percent sign begins with two digits
    string[] parts = coded.Replace('+', ' ').Split('%');
    return parts[0] + string.Concat(parts.Skip(1).Select(p => (char)Convert.ToInt32(p.Substring(0, 2), 16) + p.Substring(2)));
}
