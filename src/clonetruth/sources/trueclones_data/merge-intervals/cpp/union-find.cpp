std::vector<std::vector<int>> mergeRanges(std::vector<std::vector<int>> ranges) {
    for (auto& r : ranges)
        if (r[1] < r[0]) std::swap(r[0], r[1]);
    std::vector<size_t> parent(ranges.size());
    std::iota(parent.begin(), parent.end(), 0);
    auto root = [&](size_t i) {
        while (parent[i] != i) i = parent[i];
        return i;
    };
    for (size_t i = 0; i < ranges.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
            const bool touch = ranges[i][0] <= ranges[j][1] + 1 && ranges[j][0] <= ranges[i][1] + 1;
            if (touch) parent[root(i)] = root(j);
        }
    // The hull of each group; the map sorts by the lower end.
    std::map<size_t, std::vector<int>> hulls;
    for (size_t i = 0; i < ranges.size(); ++i) {
        auto& hull = hulls.emplace(root(i), ranges[i]).first->second;
        hull = {std::min(hull[0], ranges[i][0]), std::max(hull[1], ranges[i][1])};
    }
    std::vector<std::vector<int>> merged;
    for (const auto& entry : hulls) merged.push_back(entry.second);
    std::sort(merged.begin(), merged.end());
    return merged;
}
