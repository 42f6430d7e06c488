vector<vector<int>> evolve(vector<vector<int>> board) {
    int rows = board.size(), columns = board[0].size();
    auto old = [&](int r, int c) {
        return r < 0 || c < 0 || r >= rows || c >= columns ? 0 : board[r][c] & 1;
    };
    // the new state goes into the second bit
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            int n = old(r - 1, c - 1) + old(r - 1, c) + old(r - 1, c + 1) + old(r, c - 1) + old(r, c - 1)
                    + old(r + 1, c - 1) + old(r + 1, c) + old(r + 1, c + 1);
            if (n == 3 || (n == 2 && old(r, c))) board[r][c] += 2;
        }
    }
    for (auto& row : board)
        for (int& cell : row) cell /= 2;
    return board;
}
