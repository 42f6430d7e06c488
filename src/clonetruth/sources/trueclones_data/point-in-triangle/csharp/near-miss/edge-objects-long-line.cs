public int Where(List<List<int>> corners, int x, int y) {
    var edges = Enumerable.Range(0, 3).Select(i => new Edge(corners[i], corners[(i + 1) % 3])).ToList();
    if (edges.Any(e => e.Holds(x, y))) return 0;
    var sides = edges.Select(e => e.Side(x, y)).Distinct().ToList();
    return sides.Count == 1 && sides[0] != 0 ? 1 : -1;
}

class Edge {
    readonly int x0, y0, dx, dy;

    public Edge(List<int> from, List<int> to) {
        x0 = from[0];
        y0 = from[1];
        dx = to[0] - x0;
        dy = to[1] - y0;
    }

    public int Side(int x, int y) => Math.Sign(dx * (y - y0) - dy * (x - x0));

    // On the line, and the projection lies between the ends.
    public bool Holds(int x, int y) {
        int along = dx * (x - x0) + dy * (y - y0);
        return Side(x, y) == 0 && along >= 0 && (dx != 0 || dy != 0 || x == x0 && y == y0);
    }
}
