#include <algorithm>
#include <string>
#include <vector>

// A line has a known length, so that every byte has its two places in it.
std::vector<std::string> dumpLines(const std::vector<int>& data, int width) {
    static const char digits[] = "0123456789abcdef";
    const int n = data.size();
    std::vector<std::string> lines((n + width - 1) / width);
    for (int at = 0; at < n; ++at) {
        std::string& line = lines[at / width];
        const int column = at % width;
        if (column == 0) {
            const int count = std::min(width, n - at);
            line.assign(7 + 4 * count, ' ');
            for (int i = 0; i < 4; ++i) line[i] = digits[at >> (12 - 4 * i) & 15];
            line[4] = ':';
        }
        line[6 + 3 * column] = digits[data[at] / 16];
        line[7 + 3 * column] = digits[data[at] % 16];
        const bool shown = data[at] > 31 && data[at] < 127;
        line[line.size() - std::min(width, n - at + column) + column] = shown ? static_cast<char>(data[at]) : '.';
    }
    return lines;
}
