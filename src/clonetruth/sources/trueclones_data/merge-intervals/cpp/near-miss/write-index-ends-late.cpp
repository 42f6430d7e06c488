vector<vector<int>> compact(vector<vector<int>> ranges) {
    sort(ranges.begin(), ranges.end());
    for (auto &r : ranges) sort(r.begin(), r.end());
    size_t kept = 0;  // ranges[0 .. kept) are final but for the last one
    for (size_t i = 0; i < ranges.size(); i++) {
        if (kept > 0 && ranges[i][0] - ranges[kept - 1][1] <= 1) {
            if (ranges[i][1] > ranges[kept - 1][1]) ranges[kept - 1][1] = ranges[i][1];
        } else {
            ranges[kept++] = vector<int>(ranges[i]);
        }
    }
    ranges.resize(kept);
    return ranges;
}
