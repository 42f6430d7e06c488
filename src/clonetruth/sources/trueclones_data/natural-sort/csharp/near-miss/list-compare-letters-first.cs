static List<string> Sort(List<string> names)
{
    var result = new List<string>();
    foreach (string name in names)
    {
        int at = result.Count;
        while (at > 0 && Compare(result[at - 1], name) > 0) at--;
        result.Insert(at, name);
    }
    return result;
}

static int Compare(string left, string right)
{
    var a = Regex.Matches(left, "[0-9]+|[a-z]");
    var b = Regex.Matches(right, "[0-9]+|[a-z]");
    for (int i = 0; i < a.Count && i < b.Count; i++)
    {
        int m, n;
        bool first = int.TryParse(a[i].Value, out m), second = int.TryParse(b[i].Value, out n);
        int order = first && second ? m.CompareTo(n)
            : first != second ? (first ? 1 : -1)
            : string.CompareOrdinal(a[i].Value, b[i].Value);
        if (order != 0) return order;
    }
    return a.Count.CompareTo(b.Count);
}
