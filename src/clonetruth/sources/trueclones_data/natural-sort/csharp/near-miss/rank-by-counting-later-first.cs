string[] Arrange(string[] names) {
    var cut = names.Select(Pieces).ToArray();
    var sorted = new string[names.Length];
    for (int i = 0; i < names.Length; i++) {
        int rank = 0;
        for (int j = 0; j < names.Length; j++) {
            int order = Compare(cut[j], cut[i]);
            if (order < 0 || order == 0 && j > i) rank++;
        }
        sorted[rank] = names[i];
    }
    return sorted;
}

// A number becomes itself, a letter minus 200 plus its code: a negative number.
static List<int> Pieces(string name) {
    var pieces = new List<int>();
    for (int at = 0; at < name.Length;) {
        int end = at;
        while (end < name.Length && char.IsDigit(name[end])) end++;
        if (end > at) {
            pieces.Add(int.Parse(name.Substring(at, end - at)));
            at = end;
        } else {
            pieces.Add(name[at++] - 200);
        }
    }
    return pieces;
}

static int Compare(List<int> a, List<int> b) {
    for (int k = 0; k < a.Count && k < b.Count; k++) {
        // letters are negative and come behind numbers
        if (a[k] < 0 != b[k] < 0) return a[k] < 0 ? 1 : -1;
        if (a[k] != b[k]) return a[k].CompareTo(b[k]);
    }
    return a.Count - b.Count;
}
