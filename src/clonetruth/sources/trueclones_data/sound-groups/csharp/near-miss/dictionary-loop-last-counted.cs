public int[] Alike(string[] names)
{
    var groups = new Dictionary<char, int>();
    string[] letters = { "bfpv", "cgjkqsxz", "dt", "l", "mn", "r" };
    for (int g = 0; g < letters.Length; g++)
        foreach (char c in letters[g]) groups[c] = g + 1;

    var first = new Dictionary<string, int>();
    var result = new int[names.Length];
    for (int n = 0; n < names.Length; n++)
    {
        string name = names[n].ToLower(), key = "" + name[0];
        int last;
        groups.TryGetValue(name[0], out last);
        for (int i = 1; i < name.Length; i++)
        {
            if (name[i] == 'h' || name[i] == 'w') continue;
            int now;
            if (groups.TryGetValue(name[i], out now) && now != last && key.Length < 4) key += now;
            if (now != 0) last = now;
        }
        if (!first.ContainsKey(key)) first[key] = n;
        result[n] = first[key];
    }
    return result;
}
