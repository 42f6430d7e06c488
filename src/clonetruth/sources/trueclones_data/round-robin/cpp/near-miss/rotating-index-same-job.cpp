std::vector<int> finishTimes(std::vector<int> needs, int quantum) {
    std::vector<int> ends(needs.size(), 0);
    int open = std::count_if(needs.begin(), needs.end(), [](int n) { return n > 0; });
    int now = 0, last = -1;
    for (int i = 0; open > 0; i = (i + 1) % static_cast<int>(needs.size())) {
        if (needs[i] == 0) continue;
        if (last != -1) ++now;
        last = i;
        now += std::min(needs[i], quantum);
        needs[i] -= std::min(needs[i], quantum);
        if (needs[i] == 0) {
            ends[i] = now;
            --open;
        }
    }
    return ends;
}
