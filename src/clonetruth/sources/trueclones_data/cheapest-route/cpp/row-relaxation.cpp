int route(vector<vector<int>> roads, int start, int goal) {
    map<int, int> cost = {{start, 0}};
    bool better = true;
    while (better) {
        better = false;
        for (auto& r : roads) {
            auto begin = cost.find(r[0]);
            if (begin == cost.end()) continue;
            int through = begin->second + r[2];
            auto end = cost.emplace(r[1], through);
            if (end.second || end.first->second > through) {
                end.first->second = through;
                better = true;
            }
        }
    }
    return cost.count(goal) ? cost[goal] : -1;
}
