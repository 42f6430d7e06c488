int cheapest(const std::vector<std::vector<int>>& roads, int start, int goal) {
    std::set<std::pair<int, int>> open{{0, start}};
    std::vector<int> cost(7, INT_MAX);
    cost[start] = 0;
    while (!open.empty()) {
        const auto [sum, place] = *open.begin();
        open.erase(open.begin());
        if (place == goal) return sum;
        for (const auto& road : roads) {
            if (road[0] != place || sum + road[2] >= cost[road[1]]) continue;
            open.erase({cost[road[1]], road[1]});
            cost[road[1]] = sum + road[2];
            open.insert({cost[road[1]], road[1]});
        }
    }
    return -1;
}
