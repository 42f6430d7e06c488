int profit(const std::vector<int>& quantities, const std::vector<int>& prices) {
    std::queue<std::pair<int, int>> lots;
    int total = 0;
    for (size_t i = 0; i < quantities.size() && i < prices.size(); i++) {
        int quantity = quantities[i];
        if (quantity > 0) lots.push({quantity, prices[i]});
        while (quantity < 0 && !lots.empty()) {
            int sold = std::min(-quantity, lots.front().first);
            total += sold * (prices[i] - lots.front().second);
            quantity += sold;
            lots.front().first -= sold;
            if (lots.front().first == 0) lots.pop();
        }
    }
    return total;
}
