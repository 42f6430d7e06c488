std::vector<int> mandates(int seats, std::vector<int> votes) {
    int total = 0, given = 0;
    for (int v : votes) total += v;
    std::vector<int> result(votes.size(), 0);
    if (!total) return result;
    for (size_t i = 0; i < votes.size(); i++) {
        auto share = std::div(votes[i] * seats, total);
        result[i] = share.quot;
        votes[i] = share.rem;
        given += share.quot;
    }
    while (given++ < seats) {
        auto largest = std::max_element(votes.begin(), votes.end());
        result[largest - votes.begin()]++;
        *largest = -1;
    }
    return result;
}
