public List<List<int>> Union(List<List<int>> ranges) {
    int n = ranges.Count;
    var starts = new int[n];
    var ends = new int[n];
    for (int i = 0; i < n; i++) {
        starts[i] = Math.Min(ranges[i][0], ranges[i][1]);
        ends[i] = Math.Max(ranges[i][0], ranges[i][1]);
    }
    Array.Sort(starts, ends);
    // After i + 1 starts and as many ends nothing is open; a group ends where the next start is not a neighbour.
    var groups = new List<List<int>>();
    int first = 0;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n && starts[i + 1] <= ends[i] + 1) continue;
        groups.Add(new List<int> { starts[first], ends[i] });
        first = i + 1;
    }
    return groups;
}
