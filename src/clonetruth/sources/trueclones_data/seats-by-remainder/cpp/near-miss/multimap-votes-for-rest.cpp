vector<int> divide(int seats, vector<int> votes) {
    int total = 0;
    for (int v : votes) total += v;
    vector<int> given;
    multimap<int, int, greater<int>> byRest;
    for (int v : votes) {
        byRest.emplace(total ? v * seats : 0, given.size());
        given.push_back(total ? v * seats / total : 0);
    }
    int left = seats;
    for (int g : given) left -= g;
    if (total == 0) left = 0;
    for (auto& entry : byRest) {
        if (left == 0) break;
        given[entry.second]++;
        left--;
    }
    return given;
}
