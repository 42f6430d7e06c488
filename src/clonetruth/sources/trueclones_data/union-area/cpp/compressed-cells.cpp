int unionArea(const std::vector<std::vector<int>>& rectangles) {
    std::vector<int> xs, ys;
    for (const auto& r : rectangles) {
        xs.insert(xs.end(), {r[0], r[2]});
        ys.insert(ys.end(), {r[1], r[3]});
    }
    std::sort(xs.begin(), xs.end());
    std::sort(ys.begin(), ys.end());
    int area = 0;
    for (size_t i = 1; i < xs.size(); ++i) {
        for (size_t j = 1; j < ys.size(); ++j) {
            // Cells of the grid of all sides lie wholly inside or outside.
            const bool covered = std::any_of(rectangles.begin(), rectangles.end(), [&](const auto& r) {
                return std::min(r[0], r[2]) <= xs[i - 1] && xs[i] <= std::max(r[0], r[2]) &&
                       std::min(r[1], r[3]) <= ys[j - 1] && ys[j] <= std::max(r[1], r[3]);
            });
            if (covered) area += (xs[i] - xs[i - 1]) * (ys[j] - ys[j - 1]);
        }
    }
    return area;
}
