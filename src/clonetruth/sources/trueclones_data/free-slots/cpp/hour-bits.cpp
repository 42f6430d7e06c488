// One bit for each hour of the day; a set bit is a free hour.
std::vector<std::vector<int>> available(std::vector<std::vector<int>> busy, int length) {
    unsigned hours = (1u << 24) - 1;
    for (auto& one : busy)
        for (int h = one[0]; h < one[1]; h++) hours &= ~(1u << h);
    std::vector<std::vector<int>> found;
    while (hours) {
        int from = __builtin_ctz(hours);
        int to = from + __builtin_ctz(~(hours >> from));
        if (to - from >= length) found.push_back({from, to});
        hours &= ~((1u << to) - 1);
    }
    return found;
}
