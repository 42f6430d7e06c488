// The line between two far points, and the farthest point beyond it, again and again.
typedef array<int, 2> P;

static int beyond(const vector<P>& points, P a, P b) {
    P top = a;
    int most = 0;
    for (P p : points) {
        int height = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        if (height > most) {
            most = height;
            top = p;
        }
    }
    return most == 0 ? 0 : most + beyond(points, a, top) + beyond(points, top, b);
}

int hull(vector<vector<int>> points) {
    vector<P> all;
    for (auto& p : points) all.push_back({p[0], p[1]});
    if (all.empty()) return 0;
    P left = *min_element(all.begin(), all.end()), right = *max_element(all.begin(), all.end());
    return beyond(all, left, right) + beyond(all, right, left);
}
