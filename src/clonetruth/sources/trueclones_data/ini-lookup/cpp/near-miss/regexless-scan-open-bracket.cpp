#include <optional>
#include <string>
#include <vector>

static std::string between(const std::string& line, std::size_t from, std::size_t to) {
    while (from < to && line[from] == ' ') ++from;
    while (to > from && line[to - 1] == ' ') --to;
    return line.substr(from, to - from);
}

std::string setting(const std::vector<std::string>& lines, const std::string& section, const std::string& key) {
    std::optional<std::string> found;
    bool inside = false;
    for (const std::string& raw : lines) {
        const std::string line = between(raw, 0, raw.size());
        if (line.empty()) continue;
        const std::size_t equals = line.find('=');
        switch (line[0]) {
            case ';':
            case '#':
                continue;
            case '[':
                if (line.back() == ']' || equals == std::string::npos) {
                    inside = between(line, 1, line.size() - 1) == section;
                    continue;
                }
        }
        if (inside && equals != std::string::npos && between(line, 0, equals) == key)
            found = between(line, equals + 1, line.size());
    }
    return found.value_or("(missing)");
}
