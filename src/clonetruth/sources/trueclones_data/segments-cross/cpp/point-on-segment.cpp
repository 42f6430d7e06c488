struct Point {
    int x, y;
};

static int turn(Point a, Point b, Point c) {
    int cross = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
    return (cross > 0) - (cross < 0);
}

static bool on(Point p, Point a, Point b) {
    // the way from the point to both ends leads in opposite directions, or nowhere
    return turn(a, b, p) == 0 && (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y) <= 0 && (a.x - p.x) * (b.y - p.y) == (a.y - p.y) * (b.x - p.x);
}

bool haveCommonPoint(vector<int> first, vector<int> second) {
    Point a{first[0], first[1]}, b{first[2], first[3]}, c{second[0], second[1]}, d{second[2], second[3]};
    if (on(a, c, d) || on(b, c, d) || on(c, a, b) || on(d, a, b)) return true;
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}
