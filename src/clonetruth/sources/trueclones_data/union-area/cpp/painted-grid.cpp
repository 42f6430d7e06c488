int paint(vector<vector<int>> rectangles) {
    bool board[40][40] = {};
    int cells = 0;
    for (auto& r : rectangles) {
        if (r[0] > r[2]) swap(r[0], r[2]);
        if (r[1] > r[3]) swap(r[1], r[3]);
        for (int x = r[0]; x < r[2]; x++) {
            for (int y = r[1]; y < r[3]; y++) {
                bool& cell = board[x + 20][y + 20];
                cells += !cell;
                cell = true;
            }
        }
    }
    return cells;
}
