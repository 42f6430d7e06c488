#include <string>
#include <vector>

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> out(1);
    bool open = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"') {
            if (line[i + 1] == '"')
                out.back() += line[i++];
            else
                open = !open;
        } else if (c == ',' && !open) {
            out.emplace_back();
        } else {
            out.back().push_back(c);
        }
    }
    return out;
}
