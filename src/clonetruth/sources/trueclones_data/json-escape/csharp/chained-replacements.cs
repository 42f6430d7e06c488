public string Json(string value)
{
    // the backslash first, so that the others are not escaped again
    string json = value.Replace("\\", "\\\\").Replace("\"", "\\\"").Replace("\n", "\\n").Replace("\r", "\\r")
        .Replace("\t", "\\t").Replace("\b", "\\b").Replace("\f", "\\f");
    foreach (char c in value.Distinct())
    {
        bool escaped = c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f';
        if (!escaped && (c < 32 || c > 126))
            json = string.Join(string.Format("\\u{0:x4}", (int)c), json.Split(c));
    }
    return "\"" + json + "\"";
}
