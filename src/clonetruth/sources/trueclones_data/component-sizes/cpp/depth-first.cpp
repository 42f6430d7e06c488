#include <algorithm>
#include <vector>

static int visit(int node, const std::vector<std::vector<bool>>& linked, std::vector<bool>& seen) {
    if (seen[node]) return 0;
    seen[node] = true;
    int count = 1;
    for (std::size_t other = 0; other < linked.size(); ++other) {
        if (linked[node][other]) count += visit(other, linked, seen);
    }
    return count;
}

std::vector<int> sizes(const std::vector<std::vector<int>>& links) {
    const std::size_t n = links.size();
    std::vector<std::vector<bool>> linked(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n; ++i) {
        for (int j : links[i]) linked[i][j] = linked[j][i] = true;
    }
    std::vector<bool> seen(n);
    std::vector<int> found;
    for (std::size_t i = 0; i < n; ++i) {
        if (const int size = visit(i, linked, seen)) found.push_back(size);
    }
    std::sort(found.begin(), found.end(), std::greater<int>());
    return found;
}
