public string ToJson(string value)
{
    var shortForms = new Dictionary<string, string>
    {
        ["\""] = "\\\"", ["\\"] = @"\\", ["\b"] = @"\b", ["\f"] = @"\f", ["\n"] = @"\n", ["\r"] = @"\r", ["\t"] = @"\t",
    };
    string body = Regex.Replace(value, @"[^ !#-\[\]-~]", m =>
        shortForms.TryGetValue(m.Value, out string known) ? known : @"\u" + ((int)m.Value[0]).ToString("x2"));
    return '"' + body + '"';
}
