#include <algorithm>
#include <vector>

// Pieces are numbered as they are bought; a sale takes the numbers that follow.
struct Lot {
    int from, to, price;
};

int gain(const std::vector<int>& quantities, const std::vector<int>& prices) {
    std::vector<Lot> lots;
    int bought = 0, sold = 0, total = 0;
    const int n = std::min(quantities.size(), prices.size());
    for (int i = 0; i < n; ++i) {
        if (quantities[i] > 0) {
            lots.push_back({bought, bought + quantities[i], prices[i]});
            bought += quantities[i];
            continue;
        }
        const int end = std::min(bought, sold - quantities[i]);
        for (const Lot& lot : lots) {
            const int common = std::min(end, lot.to) - std::max(sold, lot.from);
            if (common > 0) total += common * (prices[i] - lot.price);
        }
        sold = end;
    }
    return total;
}
