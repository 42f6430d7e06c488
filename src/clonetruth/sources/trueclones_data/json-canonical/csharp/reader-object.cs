public string Normal(string text)
{
    var reader = new Reader { Text = text };
    string value = reader.Value();
    return value != null && reader.Next() == '\0' ? value : "error";
}

class Reader
{
    public string Text;
    int at;

    // The next character that is no space; it is not taken.
    public char Next()
    {
        while (at < Text.Length && Text[at] == ' ') at++;
        return at < Text.Length ? Text[at] : '\0';
    }

    bool Take(char c)
    {
        if (Next() != c) return false;
        at++;
        return true;
    }

    string Quoted()
    {
        if (!Take('"')) return null;
        int end = Text.IndexOf('"', at);
        if (end < 0) return null;
        string inner = Text.Substring(at, end - at);
        at = end + 1;
        return inner;
    }

    // null if there is no value
    public string Value()
    {
        switch (Next())
        {
            case '"':
                string inner = Quoted();
                return inner == null ? null : "\"" + inner + "\"";
            case '[':
                at++;
                return List(']', new List<string>());
            case '{':
                at++;
                return Members();
        }
        int start = at;
        while (at < Text.Length && char.IsLetterOrDigit(Text[at])) at++;
        string word = Text.Substring(start, at - start);
        if (word == "true" || word == "false" || word == "null") return word;
        bool number = word != "" && word.All(char.IsDigit) && (word.Length == 1 || word[0] != '0');
        return number ? word : null;
    }

    string List(char close, List<string> items)
    {
        if (Take(close)) return "[]";
        do
        {
            string item = Value();
            if (item == null) return null;
            items.Add(item);
        } while (Take(','));
        return Take(close) ? "[" + string.Join(",", items) + "]" : null;
    }

    string Members()
    {
        var known = new Dictionary<string, string>();
        if (Take('}')) return "{}";
        do
        {
            string key = Quoted();
            if (key == null || !Take(':')) return null;
            string value = Value();
            if (value == null) return null;
            known[key] = value;
        } while (Take(','));
        if (!Take('}')) return null;
        var keys = known.Keys.ToList();
        keys.Sort(string.CompareOrdinal);
        return "{" + string.Join(",", keys.ConvertAll(key => "\"" + key + "\":" + known[key])) + "}";
    }
}
