#include <map>
#include <string>
#include <vector>

using Values = std::map<std::string, std::string>;

static std::string rest(const std::string& text, const Values& values) {
    const auto brace = text.find_first_of("{}");
    if (brace == std::string::npos) return text;
    const std::string head = text.substr(0, brace), tail = text.substr(brace + 1);
    const char c = text[brace];
    if (!tail.empty() && tail[0] == c) return head + c + rest(tail.substr(1), values);
    const auto end = tail.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    if (c == '{' && end != std::string::npos && end > 0 && tail[end] == '}') {
        const auto known = values.find(tail.substr(0, end));
        const std::string own = text.substr(brace, end + 2);
        return head + (known == values.end() ? own + rest(tail.substr(end + 1), values) : rest(known->second + tail.substr(end + 1), Values(values.begin(), values.find(known->first))));
    }
    return head + c + rest(tail, values);
}

std::string substituted(const std::string& text, const std::vector<std::string>& names, const std::vector<std::string>& values) {
    Values known;
    for (std::size_t i = names.size(); i-- > 0;) {
        // an earlier name replaces a later one, also if it has no value
        if (i < values.size()) known[names[i]] = values[i];
        else known.erase(names[i]);
    }
    return rest(text, known);
}
