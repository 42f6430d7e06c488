#include <cstdio>
#include <string>
#include <vector>

std::vector<std::string> hexDump(const std::vector<int>& data, int width) {
    std::vector<std::string> lines;
    for (std::size_t offset = 0; offset < data.size(); offset += width) {
        char buffer[8];
        std::snprintf(buffer, sizeof buffer, "%04zx:", offset);
        std::string line = buffer, text;
        for (std::size_t i = offset; i < offset + width && i < data.size(); ++i) {
            std::snprintf(buffer, sizeof buffer, " %02x", data[i]);
            line += buffer;
            text += data[i] >= 32 && data[i] <= 127 ? static_cast<char>(data[i]) : '.';
        }
        lines.push_back(line + "  " + text);
    }
    return lines;
}
