#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

static bool whole(const std::string& cell) {
    char* end;
    const char* digits = cell.c_str() + (cell[0] == '-');
    if (*digits < '0' || *digits > '9') return false;
    std::strtol(digits, &end, 10);
    return *end == '\0';
}

std::vector<std::string> layOut(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::string> lines;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            // a negative width aligns to the left
            int width = 0;
            bool right = true;
            for (const auto& other : rows) {
                width = std::max(width, static_cast<int>(other[c].size()));
                right = right && whole(other[c]);
            }
            char cell[16];
            std::snprintf(cell, sizeof cell, "%*s", right ? width : -width, row[c].c_str());
            line += (c > 0 ? " | " : "") + std::string(cell);
        }
        line.resize(line.find_last_not_of(' ') + 1);
        lines.push_back(line);
    }
    return lines;
}
