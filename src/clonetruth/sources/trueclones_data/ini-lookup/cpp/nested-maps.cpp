#include <map>
#include <string>
#include <vector>

static std::string trim(const std::string& s) {
    const auto first = s.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return s.substr(first, s.find_last_not_of(' ') - first + 1);
}

std::string lookup(const std::vector<std::string>& lines, const std::string& section, const std::string& key) {
    std::map<std::string, std::map<std::string, std::string>> sections;
    std::map<std::string, std::string> none;
    auto* current = &none;
    for (const std::string& raw : lines) {
        const std::string line = trim(raw);
        if (line.empty() || line[0] == ';' || line[0] == '#') continue;
        if (line.front() == '[' && line.back() == ']') {
            current = &sections[trim(line.substr(1, line.size() - 2))];
            continue;
        }
        const auto equals = line.find('=');
        if (equals != std::string::npos) (*current)[trim(line.substr(0, equals))] = trim(line.substr(equals + 1));
    }
    const auto& entries = sections[section];
    const auto found = entries.find(key);
    return found == entries.end() ? "(missing)" : found->second;
}
