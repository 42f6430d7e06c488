#include <vector>

std::vector<std::vector<int>> chunkEvenly(const std::vector<int>& numbers, int chunks) {
    std::vector<std::vector<int>> result;
    result.reserve(chunks);
    const int size = static_cast<int>(numbers.size()) / chunks;
    int longer = static_cast<int>(numbers.size()) % chunks;
    auto from = numbers.begin();
    while (static_cast<int>(result.size()) < chunks) {
        const auto to = from + size + (longer-- > 0 ? 1 : 0);
        result.emplace_back(from, to);
        from = to;
    }
    return result;
}
