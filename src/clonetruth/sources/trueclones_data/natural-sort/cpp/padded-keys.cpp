#include <algorithm>
#include <map>
#include <string>
#include <vector>

// Numbers of eight digits compare as texts, and digits come before letters.
static std::string padded(const std::string& name) {
    std::string key, number;
    for (char c : name + '/') {
        if (c >= '0' && c <= '9') {
            number += c;
            continue;
        }
        if (!number.empty()) key += std::string(8 - number.size(), '0') + number;
        number.clear();
        key += c;
    }
    key.pop_back();
    return key;
}

std::vector<std::string> sorted(const std::vector<std::string>& names) {
    std::multimap<std::string, std::string> byKey;
    for (const auto& name : names) byKey.insert({padded(name), name});
    std::vector<std::string> result;
    for (const auto& entry : byKey) result.push_back(entry.second);
    return result;
}
