#include <array>
#include <sstream>
#include <string>
#include <utility>

using Version = std::array<int, 3>;

static Version read(std::istream& in) {
    Version v;
    char dot;
    in >> v[0] >> dot >> v[1] >> dot >> v[2];
    return v;
}

// The versions from the first on and before the second.
static std::pair<Version, Version> bounds(std::istream& in) {
    char sign = in.peek();
    if (sign >= '0' && sign <= '9') sign = '=';
    else in.get();
    if (in.peek() == '=') in.get();
    const Version low = read(in);
    Version high = low;
    switch (sign) {
        case '<': return {{0, 0, 0}, low};
        case '>': return {low, {1000, 0, 0}};
        case '~': high = {low[0], low[1] + 1, 0}; break;
        case '^':
            if (low[0] > 0) high = {low[0] + 1, 0, 0};
            else if (low[1] > 0) high = {0, low[1] + 1, 0};
            else high = {0, 1, 0};
            break;
        default: ++high[2];
    }
    return {low, high};
}

bool matches(const std::string& version, const std::string& range) {
    std::istringstream own(version), in(range);
    const Version v = read(own);
    const auto holds = [&] {
        const auto [low, high] = bounds(in);
        return low <= v && v < high;
    };
    const bool first = holds();
    const int joint = in.get();
    if (joint == '|') {
        in.get();
        return holds() || first;
    }
    return joint == ' ' ? holds() && first : first;
}
