#include <vector>

// Hands out numbers one by one; a chunk is closed when its budget is used up.
std::vector<std::vector<int>> inChunks(const std::vector<int>& numbers, int chunks) {
    std::vector<std::vector<int>> out(chunks);
    int at = 0;
    int open = 0;
    const int total = numbers.size();
    for (int value : numbers) {
        const int budget = total / chunks + (open < total % chunks);
        if (at == budget) {
            ++open;
            at = 0;
        }
        out[open].push_back(value);
        ++at;
    }
    return out;
}
