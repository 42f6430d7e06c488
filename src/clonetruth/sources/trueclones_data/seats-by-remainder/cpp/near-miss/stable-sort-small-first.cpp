std::vector<int> apportion(int seats, const std::vector<int>& votes) {
    int total = std::accumulate(votes.begin(), votes.end(), 0);
    std::vector<int> result(votes.size()), order(votes.size());
    if (total == 0) return result;
    int left = seats;
    for (size_t i = 0; i < votes.size(); i++) {
        order[i] = i;
        result[i] = votes[i] * seats / total;
        left -= result[i];
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return votes[a] * seats % total < votes[b] * seats % total;
    });
    for (int k = 0; k < left; k++) result[order[k]]++;
    return result;
}
