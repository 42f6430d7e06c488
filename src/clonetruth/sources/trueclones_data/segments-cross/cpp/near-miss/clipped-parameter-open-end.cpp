#include <algorithm>
#include <vector>

// Exact fractions: the point of the first segment where the line of the second one is met.
bool touch(const std::vector<int>& a, const std::vector<int>& b) {
    const int dx = a[2] - a[0], dy = a[3] - a[1];
    const int ex = b[2] - b[0], ey = b[3] - b[1];
    const int gx = b[0] - a[0], gy = b[1] - a[1];
    int det = dx * ey - dy * ex;
    if (det != 0) {
        int t = gx * ey - gy * ex, u = gx * dy - gy * dx;
        if (det < 0) {
            det = -det;
            t = -t;
            u = -u;
        }
        return t >= 0 && t < det && u >= 0 && u <= det;
    }
    if (gx * dy != gy * dx || gx * ey != gy * ex) return false;
    for (int axis : {0, 1}) {
        const auto [low, high] = std::minmax(a[axis], a[axis + 2]);
        const auto [from, to] = std::minmax(b[axis], b[axis + 2]);
        if (to < low || high < from) return false;
    }
    return true;
}
