public bool IsMatch(string pattern, string path) {
    var open = new Stack<(int P, int T)>();
    open.Push((0, 0));
    while (open.Count > 0) {
        var (p, t) = open.Pop();
        bool atEnd = t == path.Length;
        if (p == pattern.Length) {
            if (atEnd) return true;
            continue;
        }
        if (pattern[p] == '*') open.Push((p + 1, t));
        if (atEnd) continue;
        bool slash = path[t] == '/';
        if (pattern[p] == '*' && !slash) open.Push((p, t + 1));
        else if (pattern[p] == '?' && !slash || pattern[p] == path[t]) open.Push((p + 1, t + 1));
    }
    return false;
}
