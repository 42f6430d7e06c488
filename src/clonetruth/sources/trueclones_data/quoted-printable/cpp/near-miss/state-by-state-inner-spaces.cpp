#include <cctype>
#include <string>
#include <vector>

// Spaces wait until it is known whether the line ends behind them.
static std::string withoutTrailing(const std::string& text) {
    std::string kept;
    int spaces = 0;
    for (char c : text) {
        if (c == ' ') {
            ++spaces;
            continue;
        }
        if (c != '\n') kept.append(spaces > 0, ' ');
        spaces = 0;
        kept += c;
    }
    return kept;
}

std::vector<int> octets(const std::string& text) {
    const std::string s = withoutTrailing(text) + "??";
    std::vector<int> out;
    for (const char* p = s.c_str(); p + 2 < s.c_str() + s.size(); ++p) {
        if (*p != '=' || (p[1] != '\n' && (!std::isxdigit(p[1]) || !std::isxdigit(p[2])))) {
            out.push_back(*p);
        } else if (p[1] == '\n') {
            ++p;
        } else {
            out.push_back(std::stoi(std::string(p + 1, 2), nullptr, 16));
            p += 2;
        }
    }
    return out;
}
