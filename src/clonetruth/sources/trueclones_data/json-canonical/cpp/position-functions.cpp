#include <cctype>
#include <map>
#include <string>

static const std::size_t BAD = std::string::npos;

static std::size_t skip(const std::string& s, std::size_t i) {
    while (i < s.size() && s[i] == ' ') ++i;
    return i;
}

// Appends the canonical form of the value at i, and returns the position behind it, or BAD.
static std::size_t value(const std::string& s, std::size_t i, std::string& out) {
    i = skip(s, i);
    if (i >= s.size()) return BAD;
    if (s[i] == '"') {
        const std::size_t end = s.find('"', i + 1);
        if (end == BAD) return BAD;
        out += s.substr(i, end + 1 - i);
        return end + 1;
    }
    if (std::isalnum(s[i])) {
        std::size_t end = i;
        const bool digit = std::isdigit(s[i]);
        while (end < s.size() && (digit ? std::isdigit(s[end]) : std::isalpha(s[end]))) ++end;
        const std::string word = s.substr(i, end - i);
        const bool good = digit ? word == "0" || word[0] != '0' : word == "true" || word == "false" || word == "null";
        out += word;
        return good ? end : BAD;
    }
    if (s[i] != '{' && s[i] != '[') return BAD;
    const bool object = s[i] == '{';
    const char close = object ? '}' : ']';
    std::map<std::string, std::string> members;
    std::string list;
    i = skip(s, i + 1);
    bool first = true;
    while (i < s.size() && (s[i] != close || !first)) {
        std::string key, item;
        if (object) {
            if (s[i] != '"') return BAD;
            i = skip(s, value(s, i, key));
            if (i >= s.size() || s[i] != ':') return BAD;
            ++i;
        }
        i = value(s, i, item);
        if (i == BAD) return BAD;
        i = skip(s, i);
        list += (first ? "" : ",") + item;
        if (object) members[key.substr(1, key.size() - 2)] = item;
        first = false;
        if (i >= s.size() || (s[i] != ',' && s[i] != close)) return BAD;
        if (s[i] == close) break;
        i = skip(s, i + 1);
    }
    if (i >= s.size()) return BAD;
    if (object) {
        list.clear();
        for (const auto& [key, item] : members) list += (list.empty() ? "" : ",") + ('"' + key + "\":") + item;
    }
    out += (object ? '{' : '[') + list + close;
    return i + 1;
}

std::string normalForm(const std::string& text) {
    std::string out;
    const std::size_t end = value(text, 0, out);
    return end != BAD && skip(text, end) == text.size() ? out : "error";
}
