public static int Distance(string s, string t)
{
    return From(s, t, new Dictionary<string, int>());
}

private static int From(string s, string t, Dictionary<string, int> memo)
{
    if (s == "" || t == "") return s.Length + t.Length;
    string key = s + "|" + t;
    if (memo.TryGetValue(key, out int known)) return known;
    var options = new List<int>
    {
        From(s.Substring(1), t, memo) + 1,
        From(s, t.Substring(1), memo) + 1,
        From(s.Substring(1), t.Substring(1), memo) + (s[0] == t[0] ? 0 : 1),
    };
    if (s.Length > 1 && t.Length > 1 && s[0] == t[1] && s[1] == t[0])
        options.Add(From(s.Substring(2), t.Substring(2), memo) + 1);
    return memo[key] = options.Min();
}
