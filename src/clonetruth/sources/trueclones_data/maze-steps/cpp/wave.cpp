int fewest(vector<string> rows) {
    size_t width = rows[0].size();
    vector<pair<int, int>> wave;
    if (rows[0][0] != '#') wave.push_back({0, 0});
    for (int count = 0; !wave.empty(); count++) {
        vector<pair<int, int>> next;
        for (auto [r, c] : wave) {
            if (r < 0 || c < 0 || r >= (int)rows.size() || c >= (int)width || c >= (int)rows[r].size()) continue;
            char here = rows[r][c];
            if (here == '#') continue;
            if (r + 1 == (int)rows.size() && c + 1 == (int)width) return count;
            rows[r][c] = '#';
            next.insert(next.end(), {{r - 1, c}, {r + 1, c}, {r, c - 1}, {r, c + 1}});
            if (here == '.') continue;
            for (size_t a = 0; a < rows.size(); a++)
                for (size_t b = 0; b < min(width, rows[a].size()); b++)
                    if (rows[a][b] == here) next.push_back({a, b});
        }
        wave = next;
    }
    return -1;
}
