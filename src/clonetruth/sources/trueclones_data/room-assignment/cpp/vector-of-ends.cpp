std::vector<int> rooms(const std::vector<int>& starts, const std::vector<int>& lengths) {
    std::vector<int> ends, result;
    for (size_t i = 0; i < starts.size() && i < lengths.size(); i++) {
        auto room = std::find_if(ends.begin(), ends.end(), [&](int end) { return end <= starts[i]; });
        if (room == ends.end()) room = ends.insert(room, 0);
        *room = starts[i] + lengths[i];
        result.push_back(room - ends.begin() + 1);
    }
    return result;
}
