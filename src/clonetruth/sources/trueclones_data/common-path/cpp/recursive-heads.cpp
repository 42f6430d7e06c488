#include <algorithm>
#include <string>
#include <vector>

static std::string head(const std::string& path) { return path.substr(0, path.find('/')); }

// The common components of all rests, each with a slash before it; a path that is used up ends the search.
static std::string shared(std::vector<std::string> rests) {
    const std::string first = head(rests[0]);
    bool more = true;
    for (std::string& rest : rests) {
        if (head(rest) != first) return "";
        const auto slash = rest.find('/');
        more = more && slash != std::string::npos;
        if (slash != std::string::npos) rest.erase(0, slash + 1);
    }
    return "/" + first + (more ? shared(rests) : "");
}

std::string commonDirectory(const std::vector<std::string>& paths) {
    if (paths.empty()) return "";
    if (paths.size() == 1) return paths[0];
    const std::string found = shared(paths);
    if (found == "/") return std::count(paths.begin(), paths.end(), "") ? "" : "/";
    return found.empty() ? "" : found.substr(1);
}
