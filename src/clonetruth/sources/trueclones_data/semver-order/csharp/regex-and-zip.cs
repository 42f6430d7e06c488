static int Compare(string left, string right)
{
    var pattern = new Regex(@"^(?<n>0|[1-9][0-9]*)\.(?<n>0|[1-9][0-9]*)\.(?<n>0|[1-9][0-9]*)" +
        @"(?:-(?<pre>(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*))?" +
        @"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\z");
    Match a = pattern.Match(left), b = pattern.Match(right);
    if (!a.Success || !b.Success) return -2;
    for (int i = 0; i < 3; i++)
    {
        int difference = int.Parse(a.Groups["n"].Captures[i].Value) - int.Parse(b.Groups["n"].Captures[i].Value);
        if (difference != 0) return Math.Sign(difference);
    }
    Group x = a.Groups["pre"], y = b.Groups["pre"];
    if (!x.Success || !y.Success) return y.Success.CompareTo(x.Success);
    string[] mine = x.Value.Split('.'), theirs = y.Value.Split('.');
    return mine.Zip(theirs, CompareIdentifiers)
        .Concat(new[] { mine.Length.CompareTo(theirs.Length) })
        .FirstOrDefault(order => order != 0);
}

static int CompareIdentifiers(string x, string y)
{
    int m, n;
    bool first = int.TryParse(x, NumberStyles.None, null, out m), second = int.TryParse(y, NumberStyles.None, null, out n);
    if (first && second) return m.CompareTo(n);
    if (first || second) return first ? -1 : 1;
    return Math.Sign(string.CompareOrdinal(x, y));
}
