#include <string>

// Takes the first number off a version.
static long long head(std::string& version) {
    if (version.empty()) return 0;
    std::size_t used;
    const long long number = std::stoll(version, &used);
    version.erase(0, used + 1);
    return number;
}

int versionOrder(std::string a, std::string b) {
    if (a.empty() || b.empty()) return 0;
    const long long x = head(a), y = head(b);
    if (x == y) return versionOrder(a, b);
    return x > y ? 1 : -1;
}
