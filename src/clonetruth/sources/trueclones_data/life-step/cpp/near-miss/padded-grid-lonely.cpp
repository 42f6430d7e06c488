std::vector<std::vector<int>> step(const std::vector<std::vector<int>>& grid) {
    const std::size_t h = grid.size(), w = grid[0].size();
    int padded[8][8] = {};
    for (std::size_t r = 0; r < h; ++r) std::copy(grid[r].begin(), grid[r].end(), &padded[r + 1][1]);
    auto next = grid;
    for (std::size_t r = 1; r <= h; ++r)
        for (std::size_t c = 1; c <= w; ++c) {
            int sum = -padded[r][c];
            for (std::size_t y = r - 1; y <= r + 1; ++y)
                for (std::size_t x = c - 1; x <= c + 1; ++x) sum += padded[y][x];
            next[r - 1][c - 1] = sum == 3 || (sum == 1 && padded[r][c]);
        }
    return next;
}
