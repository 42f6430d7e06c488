#include <set>
#include <string>
#include <vector>

using Parts = std::vector<std::string>;

static Parts partsOf(const std::string& path) {
    Parts parts;
    std::size_t from = 0, to;
    do {
        to = path.find('/', from);
        parts.push_back(path.substr(from, to - from));
        from = to + 1;
    } while (to != std::string::npos);
    return parts;
}

// What the first and the last path in order have in common, all between them have, too.
std::string commonParent(const std::vector<std::string>& paths) {
    if (paths.size() == 1) return paths[0];
    std::set<Parts> ordered;
    for (const auto& path : paths) ordered.insert(partsOf(path));
    if (ordered.empty()) return "";

    const Parts &low = *ordered.begin(), &high = *ordered.rbegin();
    std::string found;
    std::size_t n = 0;
    for (; n < low.size() && n < high.size() && low[n] == high[n]; ++n) {
        if (n > 0) found += '/';
        found += low[n];
    }
    // the empty path would be the least one
    return n == 1 && found.empty() && high.size() > 1 ? "/" : found;
}
