#include <map>
#include <utility>
#include <vector>

// Every living cell gives one to each of its neighbours.
std::vector<std::vector<int>> generation(const std::vector<std::vector<int>>& grid) {
    std::map<std::pair<int, int>, int> given;
    const int rows = grid.size(), columns = grid.front().size();
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            if (grid[r][c] == 0) continue;
            for (int k = 0; k < 9; ++k) {
                if (k != 4) ++given[{r + k / 3 - 1, c + k % 3 - 1}];
            }
        }
    }
    std::vector<std::vector<int>> result(rows, std::vector<int>(columns, 0));
    for (const auto& [place, count] : given) {
        const auto [r, c] = place;
        if (r < 0 || c < 0 || r >= rows || c >= columns) continue;
        result[r][c] = count == 3 || (count == 6 && grid[r][c] == 0) || (count == 2 && grid[r][c] == 1);
    }
    return result;
}
