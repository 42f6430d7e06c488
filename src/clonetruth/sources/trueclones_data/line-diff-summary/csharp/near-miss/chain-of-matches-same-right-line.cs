public List<int> CountChanges(List<string> left, List<string> right) {
    // Every pair of equal lines is a link; a diff keeps the longest chain of links that goes down on both sides.
    var links = new List<Tuple<int, int>>();
    var longest = new List<int>();
    int best = 0;
    for (int i = 0; i < left.Count; i++) {
        for (int j = 0; j < right.Count; j++) {
            if (!left[i].Equals(right[j])) continue;
            int before = 0;
            for (int k = 0; k < links.Count; k++) {
                if (links[k].Item1 < i && links[k].Item2 <= j) before = Math.Max(before, longest[k]);
            }
            links.Add(Tuple.Create(i, j));
            longest.Add(before + 1);
            best = Math.Max(best, before + 1);
        }
    }
    return new List<int> { best, left.Count - best, right.Count - best };
}
