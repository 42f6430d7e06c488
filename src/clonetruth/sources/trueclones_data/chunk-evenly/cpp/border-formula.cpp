#include <algorithm>
#include <vector>

using Chunk = std::vector<int>;

std::vector<Chunk> cut(const Chunk& all, int count) {
    const int each = all.size() / count;
    const int over = all.size() % count;
    const auto border = [&](int i) { return all.begin() + i * each + std::min(i, over); };

    std::vector<Chunk> chunks;
    for (int i = 0; i < count; ++i) chunks.push_back(Chunk(border(i), border(i + 1)));
    return chunks;
}
