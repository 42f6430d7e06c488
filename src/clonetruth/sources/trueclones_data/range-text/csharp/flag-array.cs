static string Compact(List<int> numbers)
{
    var present = new bool[43];
    numbers.ForEach(n => present[n] = true);
    var parts = new List<string>();
    for (int n = 0; n < present.Length; n++)
    {
        if (!present[n]) continue;
        int last = n;
        while (present[last + 1]) last++;
        if (last - n >= 2)
        {
            parts.Add($"{n}-{last}");
            n = last;
        }
        else
        {
            parts.Add(n.ToString());
        }
    }
    return string.Join(",", parts);
}
