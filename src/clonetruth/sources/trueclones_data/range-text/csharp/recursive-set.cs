public string Text(IEnumerable<int> numbers)
{
    return From(new SortedSet<int>(numbers));
}

private string From(SortedSet<int> left)
{
    if (left.Count == 0) return "";
    int first = left.Min, next = first;
    while (left.Remove(next)) next++;
    string run;
    switch (next - first)
    {
        case 1: run = first.ToString(); break;
        case 2: run = first + "," + (first + 1); break;
        default: run = first + "-" + (next - 1); break;
    }
    string rest = From(left);
    return rest == "" ? run : run + "," + rest;
}
