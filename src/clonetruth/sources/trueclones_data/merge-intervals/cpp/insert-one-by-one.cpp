vector<vector<int>> joined(vector<vector<int>> ranges) {
    map<int, int> kept;  // lower end to upper end
    for (auto& range : ranges) {
        int low = min(range[0], range[1]), high = max(range[0], range[1]);
        for (auto it = kept.begin(); it != kept.end();) {
            if (it->second + 1 < low || high + 1 < it->first) {
                ++it;
                continue;
            }
            low = min(low, it->first);
            high = max(high, it->second);
            it = kept.erase(it);
        }
        kept[low] = high;
    }
    vector<vector<int>> result;
    for (auto& one : kept) result.push_back({one.first, one.second});
    return result;
}
