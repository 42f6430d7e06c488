// A number is (0, value), a letter is (1, code).
static std::vector<std::pair<int, int>> piecesOf(const std::string& name) {
    std::vector<std::pair<int, int>> pieces;
    bool inNumber = false;
    for (char c : name) {
        if (c > '9') {
            pieces.emplace_back(1, c);
            inNumber = false;
            continue;
        }
        if (!inNumber) pieces.emplace_back(0, 0);
        pieces.back().second = (short)(pieces.back().second * 10 + (c - '0'));
        inNumber = true;
    }
    return pieces;
}

std::vector<std::string> naturalOrder(const std::vector<std::string>& names) {
    using Entry = std::pair<std::vector<std::pair<int, int>>, std::string>;
    std::vector<Entry> entries;
    for (const auto& name : names) entries.emplace_back(piecesOf(name), name);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
    std::vector<std::string> sorted;
    for (auto& entry : entries) sorted.push_back(std::move(entry.second));
    return sorted;
}
