public string Fill(string text, List<string> names, List<string> values) {
    int brace = text.IndexOfAny(new[] { '{', '}' });
    if (brace < 0) return text;
    string head = text.Substring(0, brace), tail = text.Substring(brace + 1);
    char found = text[brace];
    if (tail != "" && tail[0] == found) return head + found + Fill(tail.Substring(1), names, values);
    if (found == '{') {
        int close = tail.IndexOf('}');
        string name = close > 0 ? tail.Substring(0, close) : "";
        if (name != "" && name.All(c => 'a' <= c && c <= 'z')) {
            int index = names.IndexOf(name);
            bool given = index >= 0 && index < values.Count;
            return head + (given ? values[index] : "{" + name + "}") + Fill(tail.Substring(close + 1), names, values);
        }
    }
    return head + found + Fill(tail, names, values);
}
