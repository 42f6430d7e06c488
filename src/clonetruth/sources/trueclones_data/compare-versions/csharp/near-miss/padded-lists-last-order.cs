static int Compare(string left, string right)
{
    var a = left.Split('.').Select(long.Parse).ToList();
    var b = right.Split('.').Select(long.Parse).ToList();
    while (a.Count < b.Count) a.Add(0);
    while (b.Count < a.Count) b.Add(0);
    return a.Zip(b, (x, y) => x.CompareTo(y)).LastOrDefault(order => order != 0);
}
