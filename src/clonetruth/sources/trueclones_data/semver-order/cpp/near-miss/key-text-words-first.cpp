#include <cctype>
#include <string>
#include <vector>

static std::vector<std::string> byDots(const std::string& text) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == '.') parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

static bool isNumber(const std::string& part) {
    for (char c : part)
        if (!std::isdigit(c)) return false;
    return !part.empty();
}

// A text that is in the order of the versions; empty if the text is no version.
static std::string keyOf(std::string text) {
    const auto plus = text.find('+');
    if (plus != std::string::npos) {
        for (const auto& id : byDots(text.substr(plus + 1)))
            if (id.empty() || id.find('+') != std::string::npos) return "";
        text.erase(plus);
    }
    const auto hyphen = text.find('-');
    const auto numbers = byDots(text.substr(0, hyphen));
    if (numbers.size() != 3) return "";
    std::string key;
    for (const auto& n : numbers) {
        if (!isNumber(n) || (n[0] == '0' && n.size() > 1)) return "";
        key += std::string(9 - n.size(), '0') + n;
    }
    if (hyphen == std::string::npos) return key + "~";
    for (const auto& id : byDots(text.substr(hyphen + 1))) {
        if (id.empty()) return "";
        if (!isNumber(id)) key += "!A" + id;
        else if (id[0] == '0' && id.size() > 1) return "";
        else key += "!a" + std::string(9 - id.size(), '0') + id;
    }
    return key;
}

int orderOf(const std::string& left, const std::string& right) {
    const std::string a = keyOf(left), b = keyOf(right);
    if (a.empty() || b.empty()) return -2;
    return (a > b) - (a < b);
}
