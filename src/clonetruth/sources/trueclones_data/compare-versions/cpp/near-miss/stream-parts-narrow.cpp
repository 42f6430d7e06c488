#include <sstream>
#include <string>

int compareVersions(const std::string& left, const std::string& right) {
    std::istringstream a(left), b(right);
    std::string part;
    while (a || b) {
        unsigned int x = std::getline(a, part, '.') ? std::stoll(part) : 0;
        unsigned int y = std::getline(b, part, '.') ? std::stoll(part) : 0;
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}
