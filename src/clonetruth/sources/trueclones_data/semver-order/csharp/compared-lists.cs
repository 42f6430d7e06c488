static int Order(string left, string right)
{
    List<string> a = Parts(left), b = Parts(right);
    if (a == null || b == null) return -2;
    for (int i = 0; i < Math.Min(a.Count, b.Count); i++)
    {
        int order = string.CompareOrdinal(a[i], b[i]);
        if (order != 0) return Math.Sign(order);
    }
    return a.Count.CompareTo(b.Count);
}

// Parts whose order as texts is that of the version; null if it is none.
static List<string> Parts(string text)
{
    var halves = text.Split(new[] { '+' }, 2);
    if (halves.Length == 2 && !halves[1].Split('.').All(id => id != "" && !id.Contains("+"))) return null;
    var cut = halves[0].Split(new[] { '-' }, 2);
    var core = cut[0].Split('.');
    if (core.Length != 3 || !core.All(IsPlain)) return null;
    var parts = core.Select(n => n.PadLeft(9, '0')).ToList();
    if (cut.Length == 1)
    {
        parts.Add("~");
        return parts;
    }
    foreach (string id in cut[1].Split('.'))
    {
        bool digits = id != "" && id.All(char.IsDigit);
        if (id == "" || digits && !IsPlain(id)) return null;
        parts.Add(digits ? "!" + id.PadLeft(9, '0') : "\"" + id);
    }
    return parts;
}

static bool IsPlain(string number)
{
    return number != "" && number.All(char.IsDigit) && (number == "0" || number[0] != '0');
}
