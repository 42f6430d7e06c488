#include <sstream>
#include <string>

int compareVersions(const std::string& left, const std::string& right) {
    std::istringstream a(left), b(right);
    std::string part;
    while (a || b) {
        long long x = std::getline(a, part, '.') ? std::stoll(part) : 0;
        long long y = std::getline(b, part, '.') ? std::stoll(part) : 0;
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}
