#include <algorithm>
#include <string>
#include <vector>

std::vector<std::string> dedent(const std::vector<std::string>& lines) {
    std::size_t margin = std::string::npos;
    for (const auto& line : lines) {
        margin = std::min(margin, line.find_first_not_of(' '));
    }
    std::vector<std::string> result;
    std::size_t keep = 0;
    for (const auto& line : lines) {
        const bool blank = line.find_first_not_of(' ') == std::string::npos;
        if (blank && lines.empty()) continue;
        result.push_back(blank ? "" : line.substr(margin));
        if (!blank) keep = result.size();
    }
    result.resize(keep);
    return result;
}
