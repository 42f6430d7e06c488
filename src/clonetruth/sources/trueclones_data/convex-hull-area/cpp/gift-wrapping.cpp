struct Vec {
    int x, y;
};

static long turn(Vec o, Vec a, Vec b) { return 1L * (a.x - o.x) * (b.y - o.y) - 1L * (a.y - o.y) * (b.x - o.x); }

static long dist(Vec a, Vec b) { return 1L * (a.x - b.x) * (a.x - b.x) + 1L * (a.y - b.y) * (a.y - b.y); }

int doubleArea(std::vector<std::vector<int>> points) {
    if (points.size() < 3) return 0;
    std::vector<Vec> v;
    std::size_t start = 0;
    for (std::size_t i = 0; i < points.size(); i++) {
        v.push_back({points[i][0], points[i][1]});
        if (v[i].x < v[start].x || (v[i].x == v[start].x && v[i].y < v[start].y)) start = i;
    }
    // walk around, always taking the point that has all others on its left; the fan from the start gives the area
    long area = 0;
    Vec current = v[start];
    do {
        Vec next = v[0];
        for (const Vec& candidate : v) {
            long side = turn(current, next, candidate);
            if (side < 0 || (side == 0 && dist(current, candidate) > dist(current, next))) next = candidate;
        }
        area += turn(v[start], current, next);
        current = next;
    } while (current.x != v[start].x || current.y != v[start].y);
    return static_cast<int>(area);
}
