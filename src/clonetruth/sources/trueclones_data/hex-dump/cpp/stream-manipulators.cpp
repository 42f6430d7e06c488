#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

struct DumpLine {
    std::size_t offset;
    std::vector<int> bytes;

    std::string str() const {
        std::ostringstream out;
        out << std::hex << std::setfill('0') << std::setw(4) << offset << ':';
        for (int b : bytes) out << ' ' << std::setw(2) << b;
        out << "  ";
        for (int b : bytes) out.put(b < 0x20 || b > 0x7e ? '.' : static_cast<char>(b));
        return out.str();
    }
};

std::vector<std::string> toHex(const std::vector<int>& data, int width) {
    std::vector<std::string> lines;
    auto rest = data.begin();
    while (rest != data.end()) {
        auto end = data.end() - rest > width ? rest + width : data.end();
        DumpLine line{static_cast<std::size_t>(rest - data.begin()), {rest, end}};
        lines.push_back(line.str());
        rest = end;
    }
    return lines;
}
