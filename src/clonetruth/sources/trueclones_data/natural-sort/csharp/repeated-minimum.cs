public string[] InOrder(string[] names)
{
    var left = names.ToList();
    var result = new string[names.Length];
    for (int i = 0; i < result.Length; i++)
    {
        string least = left[0];
        foreach (string name in left.Skip(1))
            if (Before(name, least)) least = name;
        left.Remove(least);
        result[i] = least;
    }
    return result;
}

private static bool Before(string a, string b)
{
    int i = 0, j = 0;
    while (i < a.Length && j < b.Length)
    {
        long x = Next(a, ref i), y = Next(b, ref j);
        if (x != y) return x < y;
    }
    return i == a.Length && j < b.Length;
}

// Numbers as they are, letters above all numbers.
private static long Next(string s, ref int at)
{
    if (s[at] > '9') return 1000000000L + s[at++];
    long number = 0;
    while (at < s.Length && s[at] <= '9') number = number * 10 + s[at++] - '0';
    return number;
}
