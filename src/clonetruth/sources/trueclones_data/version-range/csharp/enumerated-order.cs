public bool Test(string version, string range)
{
    bool any = range.IndexOf('|') >= 0;
    var parts = range.Split(new[] { ' ', '|' }, StringSplitOptions.RemoveEmptyEntries);
    foreach (string part in parts)
    {
        bool holds = Holds(Triple(version), part);
        if (holds == any) return any;
    }
    return !any;
}

private static (int, int, int) Triple(string text)
{
    var n = text.Split('.').Select(int.Parse).ToArray();
    return (n[0], n[1], n[2]);
}

private static bool Holds((int A, int B, int C) own, string part)
{
    string sign = Regex.Match(part, "^[^0-9]*").Value;
    (int A, int B, int C) want = Triple(part.Substring(sign.Length));
    int order = own.CompareTo(want);
    bool first = own.A == want.A, second = first && own.B == want.B;
    switch (sign)
    {
        case ">=": return order >= 0;
        case "<": return order < 0;
        case "~": return order >= 0 && second;
        case "^": return order >= 0 && first && (want.A > 0 || second && (want.B > 0 || own.C == want.C));
    }
    return order == 0;
}
