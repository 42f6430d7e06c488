static string Escape(string text)
{
    var json = new StringBuilder("\"");
    foreach (char c in text)
    {
        switch (c)
        {
            case '"':
            case '\\':
                json.Append('\\').Append(c);
                break;
            case '\b': json.Append("\\b"); break;
            case '\f': json.Append("\\f"); break;
            case '\n': json.Append("\\n"); break;
            case '\r': json.Append("\\r"); break;
            case '\t': json.Append("\\t"); break;
            default:
                if (c < ' ' || c >= 0x7F)
                    json.AppendFormat("\\u{0:x4}", (int)c);
                else
                    json.Append(c);
                break;
        }
    }
    return json.Append('"').ToString();
}
