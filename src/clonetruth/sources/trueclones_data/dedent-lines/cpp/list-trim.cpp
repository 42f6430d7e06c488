#include <list>
#include <string>
#include <vector>

static int leading(const std::string& line) {
    int n = 0;
    for (char c : line) {
        if (c != ' ') return n;
        ++n;
    }
    return -1;
}

std::vector<std::string> outdent(const std::vector<std::string>& lines) {
    int common = 1 << 20;
    std::list<std::string> kept;
    for (const std::string& line : lines) {
        const int n = leading(line);
        if (n >= 0 && n < common) common = n;
        kept.push_back(n < 0 ? std::string() : line);
    }
    kept.remove_if([first = true](const std::string& line) mutable { return first &= line.empty(); });
    while (!kept.empty() && kept.back().empty()) kept.pop_back();
    std::vector<std::string> result;
    for (std::string& line : kept) result.push_back(line.erase(0, common));
    return result;
}
