static bool Glob(string pattern, string path)
{
    var ok = new bool[pattern.Length + 1, path.Length + 1];
    ok[0, 0] = true;
    for (int p = 1; p <= pattern.Length; p++)
    {
        char c = pattern[p - 1];
        for (int t = 0; t <= path.Length; t++)
        {
            bool slash = t > 0 && path[t - 1] == '/';
            if (c == '*')
                ok[p, t] = ok[p - 1, t] || t > 0 && !slash && ok[p, t - 1];
            else if (t > 0)
                ok[p, t] = ok[p - 1, t - 1] && (c == path[t - 1] || c == '?' && !slash);
        }
    }
    return ok[pattern.Length, path.Length];
}
