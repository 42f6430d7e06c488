#include <bitset>
#include <utility>
#include <vector>

std::vector<std::vector<int>> covering(const std::vector<std::vector<int>>& ranges) {
    std::bitset<103> inside;  // number n is bit n + 51, so that both edges are free
    for (const auto& range : ranges) {
        int from = range[0], to = range[1];
        if (from > to) inside.set(from + 51), from = to;
        while (from <= to) inside.set(from++ + 51);
    }
    std::vector<std::vector<int>> result;
    for (std::size_t bit = 1; bit < inside.size(); ++bit) {
        const int number = static_cast<int>(bit) - 51;
        if (inside[bit] && !inside[bit - 1]) result.push_back({number});
        if (!inside[bit] && inside[bit - 1]) result.back().push_back(number - 1);
    }
    return result;
}
