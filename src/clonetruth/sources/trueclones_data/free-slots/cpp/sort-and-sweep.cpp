vector<vector<int>> gaps(vector<vector<int>> busy, int length) {
    sort(busy.begin(), busy.end());
    busy.push_back({24, 24});
    vector<vector<int>> out;
    int reached = 0;
    for (auto& one : busy) {
        int start = one[0], end = one[1];
        if (start > end || (start == end && start != 24)) continue;
        if (start >= reached + length) out.push_back({reached, start});
        if (end > reached) reached = end;
    }
    return out;
}
