#include <algorithm>
#include <vector>

// All pairs of nodes that reach each other; then as many nodes see a component as it has.
std::vector<int> blocks(const std::vector<std::vector<int>>& links) {
    const int n = links.size();
    std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
    for (int i = 0; i < n; ++i) {
        reaches[i][i] = 1;
        for (int j : links[i]) reaches[i][j] = reaches[j][i] = 1;
    }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                reaches[i][j] |= reaches[i][k] & reaches[k][j];

    std::vector<int> nodes(n + 1, 0);
    for (const auto& row : reaches) ++nodes[std::count(row.begin(), row.end(), 1)];
    std::vector<int> found;
    for (int size = n; size > 0; --size) found.insert(found.end(), nodes[size] > 0, size);
    return found;
}
