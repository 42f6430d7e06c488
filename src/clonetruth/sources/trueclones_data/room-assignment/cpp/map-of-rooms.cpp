std::vector<int> allocate(std::vector<int> starts, std::vector<int> lengths) {
    std::map<int, int> freeFrom;
    std::vector<int> result;
    auto length = lengths.begin();
    for (int start : starts) {
        if (length == lengths.end()) break;
        int chosen = freeFrom.size() + 1;
        for (const auto& [room, hour] : freeFrom) {
            if (hour > start) continue;
            chosen = room;
            break;
        }
        freeFrom[chosen] = start + *length++;
        result.push_back(chosen);
    }
    return result;
}
