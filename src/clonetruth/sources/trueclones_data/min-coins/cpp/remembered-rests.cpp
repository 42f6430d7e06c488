#include <algorithm>
#include <map>
#include <vector>

static int search(int rest, const std::vector<int>& coins, std::map<int, int>& known) {
    if (rest == 0) return 0;
    if (rest < 0) return -1;
    const auto seen = known.find(rest);
    if (seen != known.end()) return seen->second;
    int best = -1;
    for (int coin : coins) {
        const int others = search(rest - coin, coins, known);
        if (others >= 0 && (best < 0 || others + 1 < best)) best = others + 1;
    }
    return known[rest] = best;
}

int smallestNumber(const std::vector<int>& coins, int amount) {
    std::map<int, int> known;
    return search(amount, coins, known);
}
