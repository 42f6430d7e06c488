#include <algorithm>
#include <set>
#include <utility>
#include <vector>

using Spot = std::pair<int, int>;

static int side(const Spot& a, const Spot& b, const Spot& c) {
    return (b.first - a.first) * (c.second - a.second) - (b.second - a.second) * (c.first - a.first);
}

// Adds up the edges that have no point on their right and none on their line outside of them.
int twiceHull(const std::vector<std::vector<int>>& points) {
    std::set<Spot> spots;
    for (const auto& p : points) spots.insert({p[0], p[1]});
    int area = 0;
    for (const Spot& a : spots) {
        for (const Spot& b : spots) {
            if (a == b) continue;
            const bool edge = std::all_of(spots.begin(), spots.end(), [&](const Spot& c) {
                const int turn = side(a, b, c);
                return turn >= 0;
            });
            if (edge) area += a.first * b.second - b.first * a.second;
        }
    }
    return area;
}
