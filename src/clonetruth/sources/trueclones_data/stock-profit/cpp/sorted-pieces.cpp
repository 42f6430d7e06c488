int realised(vector<int> quantities, vector<int> prices) {
    vector<int> bought;
    size_t sold = 0, n = min(quantities.size(), prices.size());
    int result = 0;
    for (size_t i = 0; i < n; i++) {
        if (quantities[i] >= 0) {
            bought.insert(bought.end(), quantities[i], prices[i]);
            continue;
        }
        size_t end = min(bought.size(), sold - quantities[i]);
        for (; sold < end; sold++) result += prices[i] - bought[sold];
    }
    return result;
}
