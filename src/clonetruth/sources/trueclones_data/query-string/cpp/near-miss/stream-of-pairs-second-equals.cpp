#include <cctype>
#include <sstream>
#include <string>

static std::string plain(const std::string& coded) {
    std::string out;
    std::istringstream in(coded);
    char c;
    while (in.get(c)) {
        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            int code = 0;
            for (int i = 0; i < 2; ++i) {
                in.get(c);
                code = code * 16 + (c <= '9' ? c - '0' : (c & 7) + 9);
            }
            c = code;
        }
        out += c;
    }
    return out;
}

std::string parameter(const std::string& query, const std::string& key) {
    std::istringstream pairs(query);
    for (std::string pair; std::getline(pairs, pair, '&');) {
        if (pair.empty()) continue;
        std::istringstream halves(pair);
        std::string name, value;
        std::getline(halves, name, '=');
        std::getline(halves, value, '=');
        if (plain(name) == key) return plain(value);
    }
    return "(none)";
}
