// A row is a number; the sums of three cells are made by shifting.
vector<vector<int>> tick(vector<vector<int>> grid) {
    int width = grid[0].size();
    vector<unsigned> rows(grid.size() + 2, 0);
    for (size_t r = 0; r < grid.size(); r++)
        for (int c = 0; c < width; c++) rows[r + 1] |= unsigned(grid[r][c]) << (c + 1);
    for (size_t r = 0; r < grid.size(); r++) {
        for (int c = 0; c < width; c++) {
            int around = 0;
            for (int d = 0; d < 3; d++) around += __builtin_popcount(rows[r + d] >> c & 7);
            // the cell itself is counted, too
            bool alive = rows[r + 1] >> (c + 1) & 1;
            grid[r][c] = around == 3 || (alive && around == 4);
        }
    }
    return grid;
}
