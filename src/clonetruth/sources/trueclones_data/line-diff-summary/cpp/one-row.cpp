#include <algorithm>
#include <string>
#include <vector>

std::vector<int> lineStats(const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::vector<int> row(after.size() + 1, 0);
    for (const auto& line : before) {
        int diagonal = 0;
        for (std::size_t j = 0; j < after.size(); ++j) {
            const int above = row[j + 1];
            row[j + 1] = line == after[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    const int kept = row.back();
    return {kept, static_cast<int>(before.size()) - kept, static_cast<int>(after.size()) - kept};
}
