#include <algorithm>
#include <utility>
#include <vector>

typedef std::pair<int, int> Point;

static int cross(const Point& o, const Point& a, const Point& b) {
    return (a.first - o.first) * (b.second - o.second) - (a.second - o.second) * (b.first - o.first);
}

int hullArea(const std::vector<std::vector<int>>& points) {
    std::vector<Point> p;
    for (const auto& xy : points) p.push_back({xy[0], xy[1]});
    std::sort(p.begin(), p.end());

    std::vector<Point> hull;
    // lower hull from the left, upper hull from the right
    for (int pass = 0; pass < 2; pass++) {
        const std::size_t start = hull.size();
        for (const Point& q : p) {
            while (hull.size() >= start + 2 && cross(hull[hull.size() - 2], hull.back(), q) <= 0) hull.pop_back();
            hull.push_back(q);
        }
        std::sort(p.begin(), p.end());
    }
    int twice = 0;
    for (std::size_t i = 0; i < hull.size(); i++) {
        const Point& a = hull[i];
        const Point& b = hull[(i + 1) % hull.size()];
        twice += a.first * b.second - b.first * a.second;
    }
    return twice;
}
