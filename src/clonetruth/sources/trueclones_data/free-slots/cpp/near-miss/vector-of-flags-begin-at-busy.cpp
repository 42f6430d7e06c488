std::vector<std::vector<int>> freeSlots(const std::vector<std::vector<int>>& busy, int length) {
    std::vector<bool> taken(25, false);
    taken[24] = true;
    for (const auto& b : busy)
        for (int h = b[0]; h < b[1]; ++h) taken[h] = true;
    std::vector<std::vector<int>> slots;
    int begin = 0;
    for (int h = 0; h <= 24; ++h) {
        if (!taken[h]) continue;
        if (h - begin >= length) slots.push_back({begin, h});
        begin = h;
    }
    return slots;
}
