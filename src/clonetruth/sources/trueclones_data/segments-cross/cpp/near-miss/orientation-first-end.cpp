static int side(int ax, int ay, int bx, int by, int cx, int cy) {
    int value = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    return value < 0 ? -1 : value > 0;
}

static bool between(int a, int b, int c) {
    return std::min(a, b) <= c && c <= std::max(a, b);
}

bool meet(const std::vector<int>& p, const std::vector<int>& q) {
    int s1 = side(p[0], p[1], p[2], p[3], q[0], q[1]);
    int s2 = side(p[0], p[1], p[2], p[3], q[2], q[3]);
    int s3 = side(q[0], q[1], q[2], q[3], p[0], p[1]);
    int s4 = side(q[0], q[1], q[2], q[3], p[2], p[3]);
    if (s1 != s2 && s3 != s4) return true;
    if (s1 == 0 && between(p[0], p[2], q[0]) && between(p[1], p[3], q[1])) return true;
    if (s2 == 0 && between(p[0], p[2], q[2]) && between(p[1], p[3], q[3])) return true;
    return s3 == 0 && s4 != 0 && between(q[0], q[2], p[0]) && between(q[1], q[3], p[1]);
}
