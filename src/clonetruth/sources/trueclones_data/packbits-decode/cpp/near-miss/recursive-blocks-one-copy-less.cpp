#include <vector>

// Returns whether all blocks from the position on are complete.
static bool blocks(const std::vector<int>& data, std::size_t at, std::vector<int>& out) {
    if (at == data.size()) return true;
    const int header = data[at];
    const std::size_t stored = header < 128 ? header + 1 : header > 128;
    if (at + stored >= data.size()) {
        if (stored > 0) return false;
    }
    const int copies = header > 128 ? 256 - header : 1;
    for (int i = 0; i < copies; ++i) {
        for (std::size_t k = 1; k <= stored; ++k) out.push_back(data[at + k]);
    }
    return blocks(data, at + 1 + stored, out);
}

std::vector<int> inflate(const std::vector<int>& data) {
    std::vector<int> out;
    if (blocks(data, 0, out)) return out;
    return std::vector<int>(1, -1);
}
