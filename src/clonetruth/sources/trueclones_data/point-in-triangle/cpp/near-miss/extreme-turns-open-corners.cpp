struct Vec {
    int x, y;
    int cross(const Vec& o) const { return x * o.y - y * o.x; }
    int dot(const Vec& o) const { return x * o.x + y * o.y; }
};

// The corners are moved so that the point is the origin.
int locate(const std::vector<std::vector<int>>& corners, int x, int y) {
    Vec p[3];
    for (int i = 0; i < 3; ++i) p[i] = {corners[i][0] - x, corners[i][1] - y};
    int lowest = INT_MAX, highest = INT_MIN;
    for (int i = 0; i < 3; ++i) {
        const Vec& from = p[i];
        const Vec& to = p[(i + 1) % 3];
        const int turn = from.cross(to);
        if (turn == 0 && from.dot(to) < 0) return 0;
        lowest = std::min(lowest, turn);
        highest = std::max(highest, turn);
    }
    return lowest > 0 || highest < 0 ? 1 : -1;
}
