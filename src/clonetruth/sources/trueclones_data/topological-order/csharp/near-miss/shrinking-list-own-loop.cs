public List<int> Sort(List<List<int>> successors) {
    return Next(Enumerable.Range(0, successors.Count).ToList(), new List<int>(), successors);
}

// Moves the first node that no other open node points to, until none is open or all are blocked.
static List<int> Next(List<int> open, List<int> done, List<List<int>> successors) {
    if (open.Count == 0) return done;
    int free = open.FindIndex(node => !open.Any(other => other != node && successors[other].Contains(node)));
    if (free < 0) return new List<int>();
    done.Add(open[free]);
    open.RemoveAt(free);
    return Next(open, done, successors);
}
