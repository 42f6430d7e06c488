#include <string>

// Remembers the last star only: what an earlier one took need not change.
bool fits(const std::string& pattern, const std::string& path) {
    std::size_t p = 0, t = 0, star = std::string::npos, mark = 0;
    while (t < path.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && (pattern[p] == path[t] || (pattern[p] == '?' && path[t] != '/'))) {
            ++p;
            ++t;
        } else if (star != std::string::npos && path[mark] != '/') {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}
