int relation(vector<vector<int>> t, int px, int py) {
    int ux = t[1][0] - t[0][0], uy = t[1][1] - t[0][1];
    int vx = t[2][0] - t[0][0], vy = t[2][1] - t[0][1];
    int wx = px - t[0][0], wy = py - t[0][1];
    int det = ux * vy - uy * vx;
    if (det == 0) {
        // all corners on one line: is the point on one of the sides?
        for (int i = 0; i < 3; i++) {
            vector<int> a = t[i], b = t[(i + 1) % 3];
            bool line = (b[0] - a[0]) * (py - a[1]) == (b[1] - a[1]) * (px - a[0]);
            bool box = min(a[0], b[0]) <= px && px <= max(a[0], b[0]) && min(a[1], b[1]) <= py && py <= max(a[1], b[1]);
            if (line && box) return 0;
        }
        return -1;
    }
    // w = (p * u + q * v) / det
    int p = wx * vy - wy * vx, q = ux * wy - uy * wx;
    if (det < 0) {
        det = -det;
        p = -p;
        q = -q;
    }
    int least = min({p, q, det - p - q});
    return least > 0 ? 1 : least < 0 ? -1 : 0;
}
