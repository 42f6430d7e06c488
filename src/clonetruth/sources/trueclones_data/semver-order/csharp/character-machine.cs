public int Compare(string left, string right)
{
    var a = Read(left);
    var b = Read(right);
    if (a == null || b == null) return -2;
    int i = 0;
    while (i < a.Count && i < b.Count && a[i].Equals(b[i])) i++;
    if (i == a.Count || i == b.Count) return a.Count.CompareTo(b.Count);
    var (kind, number, word) = a[i];
    var (otherKind, otherNumber, otherWord) = b[i];
    if (kind != otherKind) return kind < otherKind ? -1 : 1;
    if (number != otherNumber) return number < otherNumber ? -1 : 1;
    return string.CompareOrdinal(word, otherWord) < 0 ? -1 : 1;
}

// Kind 1 is a number, 2 a word, 3 the place of a pre-release that is not there.
private static List<(int, int, string)> Read(string text)
{
    var items = new List<(int, int, string)>();
    string word = "";
    char mode = 'n';
    foreach (char c in text + "\n")
    {
        bool ends = c == '.' || c == '\n' || mode == 'n' && c == '-' || mode != 'b' && c == '+';
        if (!ends)
        {
            if (c == '+') return null;
            word += c;
            continue;
        }
        bool digits = Regex.IsMatch(word, "^[0-9]+$");
        if (word == "" || mode == 'n' && !digits) return null;
        if (mode != 'b' && digits && word[0] == '0' && word.Length > 1) return null;
        if (mode != 'b') items.Add(digits ? (1, int.Parse(word), "") : (2, 0, word));
        word = "";
        if (mode == 'n' && c == '.' && items.Count > 2) return null;
        if (c == '.' ) continue;
        if (mode == 'n')
        {
            if (items.Count != 3) return null;
            if (c != '-') items.Add((3, 0, ""));
        }
        mode = c == '-' ? 'p' : 'b';
    }
    return items;
}
