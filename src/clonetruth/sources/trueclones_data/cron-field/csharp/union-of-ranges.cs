public List<int> Expand(string field, int low, int high)
{
    IEnumerable<int> all = new int[0];
    foreach (string item in field.Split(','))
    {
        string[] part = item.Split('/', '-');
        bool star = part[0] == "*", range = item.Contains("-");
        int first = star ? low : int.Parse(part[0]);
        int last = star ? high : int.Parse(part[range ? 1 : 0]);
        int step = item.Contains("/") ? int.Parse(part[part.Length - 1]) : 1;
        int count = last < first ? 0 : (last - first) / step + 1;
        all = all.Union(Enumerable.Range(0, count).Select(k => first + k * step));
    }
    return all.Where(n => low <= n && n <= high).OrderBy(n => n).ToList();
}
