#include <algorithm>
#include <string>
#include <vector>

static bool hasText(const std::string& line) {
    return line.find_first_not_of(' ') < line.size();
}

std::vector<std::string> flushLeft(const std::vector<std::string>& lines) {
    const auto first = std::find_if(lines.begin(), lines.end(), hasText);
    const auto last = std::find_if(lines.rbegin(), lines.rend(), hasText).base();
    if (first == lines.end()) return {};

    std::vector<std::string> shown(first, last);
    std::string margin = first->substr(0, first->find_first_not_of(' '));
    for (const std::string& line : shown) {
        while (hasText(line) && line.compare(0, margin.size(), margin) != 0) margin.pop_back();
    }
    std::transform(shown.begin(), shown.end(), shown.begin(), [&](const std::string& line) {
        return hasText(line) ? line.substr(margin.size()) : std::string();
    });
    return shown;
}
