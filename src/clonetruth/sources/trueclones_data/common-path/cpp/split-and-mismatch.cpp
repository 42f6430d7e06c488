#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

static std::vector<std::string> components(const std::string& path) {
    std::vector<std::string> found(1);
    for (char c : path) {
        if (c == '/')
            found.emplace_back();
        else
            found.back().push_back(c);
    }
    return found;
}

std::string commonPath(const std::vector<std::string>& paths) {
    if (paths.empty()) return "";
    if (paths.size() == 1) return paths.front();

    std::vector<std::string> common = components(paths[0]);
    bool anyEmpty = paths[0].empty();
    for (std::size_t i = 1; i < paths.size(); ++i) {
        const auto other = components(paths[i]);
        const auto ends = std::mismatch(common.begin(), common.end(), other.begin(), other.end());
        common.erase(ends.first, common.end());
        anyEmpty = anyEmpty || paths[i].empty();
    }
    if (common.size() == 1 && common[0].empty()) return anyEmpty ? "" : "/";

    std::ostringstream joined;
    for (std::size_t i = 0; i < common.size(); ++i) {
        if (i > 0) joined << '/';
        joined << common[i];
    }
    return joined.str();
}
