#include <algorithm>
#include <vector>

// Sums over all sets of rectangles, with the sign of their number.
int areaTogether(const std::vector<std::vector<int>>& rectangles) {
    const int n = rectangles.size();
    int total = 0;
    for (unsigned set = 1; set < 1u << n; ++set) {
        int left = -20, right = 20, low = -20, high = 20;
        for (int i = 0; i < n; ++i) {
            if (!(set >> i & 1)) continue;
            const auto& r = rectangles[i];
            left = std::max(left, std::min(r[0], r[2]));
            right = std::min(right, std::max(r[0], r[2]));
            low = std::max(low, std::min(r[1], r[3]));
            high = std::min(high, std::max(r[1], r[3]));
        }
        const int common = std::max(0, right - left) * std::max(0, high - low);
        total += __builtin_popcount(set) % 2 ? common : -common;
    }
    return total;
}
