#include <cstdlib>
#include <vector>

using Corner = std::vector<int>;

static int doubled(const Corner& a, const Corner& b, const Corner& c) {
    return std::abs(a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]));
}

static bool onSide(const Corner& a, const Corner& b, const Corner& p) {
    if (doubled(a, b, p) != 0) return false;
    const int x = (a[0] - p[0]) * (b[0] - p[0]);
    const int y = (a[1] - p[1]) * (b[1] - p[1]);
    return x <= 0 && y <= 0;
}

int place(const std::vector<Corner>& corners, int x, int y) {
    const Corner p{x, y};
    const Corner &a = corners[0], &b = corners[1], &c = corners[2];
    if (onSide(a, b, p) || onSide(b, c, p) || onSide(c, a, p)) return 0;
    const int whole = doubled(a, b, c);
    const int parts = doubled(a, b, p) + doubled(b, c, p) + doubled(c, a, p);
    return whole > 0 && parts == whole ? 1 : -1;
}
