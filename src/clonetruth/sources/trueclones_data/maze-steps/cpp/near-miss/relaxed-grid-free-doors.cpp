#include <algorithm>
#include <string>
#include <vector>

// Distances get shorter until nothing changes; each kind of door has the distance of its nearest one.
int distanceToEnd(const std::vector<std::string>& rows) {
    const int height = rows.size(), width = rows[0].size(), far = 10000;
    std::vector<std::vector<int>> best(height + 2, std::vector<int>(width + 2, far));
    const auto field = [&](int r, int c) { return c < static_cast<int>(rows[r].size()) ? rows[r][c] : '#'; };
    if (field(0, 0) != '#') best[1][1] = 0;
    int doors[4] = {far, far, far, far};
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = 0; r < height; ++r) {
            for (int c = 0; c < width; ++c) {
                const char here = field(r, c);
                if (here == '#') continue;
                int& own = best[r + 1][c + 1];
                int now = std::min({best[r][c + 1], best[r + 2][c + 1], best[r + 1][c], best[r + 1][c + 2]}) + 1;
                if (here != '.') now = std::min(now, doors[here - '0']);
                if (now < own) {
                    own = now;
                    changed = true;
                }
                if (here != '.') doors[here - '0'] = std::min(doors[here - '0'], own);
            }
        }
    }
    const int found = best[height][width];
    return found < far ? found : -1;
}
