// What the first n pieces cost; a sale costs what lies between two such sums.
static int costOfFirst(int n, const std::vector<std::pair<int, int>>& lots) {
    int cost = 0;
    for (auto [count, price] : lots) {
        int part = std::min(n, count);
        cost += part * price;
        n -= part;
    }
    return cost;
}

int salesProfit(std::vector<int> quantities, std::vector<int> prices) {
    std::vector<std::pair<int, int>> lots;
    int stock = 0, gone = 0, profit = 0;
    for (size_t i = 0; i < std::min(quantities.size(), prices.size()); i++) {
        int q = quantities[i];
        if (q < 0) {
            q = std::min(-q, stock);
            profit += q * prices[i] - costOfFirst(gone + q, lots) + costOfFirst(gone, lots);
            gone += q;
            stock -= q;
        } else {
            lots.emplace_back(q, prices[i]);
            stock += q;
        }
    }
    return profit;
}
