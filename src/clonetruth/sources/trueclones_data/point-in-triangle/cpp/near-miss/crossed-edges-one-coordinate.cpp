bool between(int a, int v, int b) {
    return min(a, b) <= v && v <= max(a, b);
}

int position(vector<vector<int>> t, int x, int y) {
    bool inside = false;
    for (int i = 0, j = 2; i < 3; j = i++) {
        int ax = t[j][0], ay = t[j][1], bx = t[i][0], by = t[i][1];
        int area = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        if (area == 0 && between(ax, x, bx)) return 0;
        // does a ray to the right cross this side? Its upper end does not count.
        if ((ay > y) != (by > y)) {
            bool toTheRight = by > ay ? area > 0 : area < 0;
            if (toTheRight) inside = !inside;
        }
    }
    return inside ? 1 : -1;
}
