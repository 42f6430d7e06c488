static vector<string> column(const vector<vector<string>>& rows, size_t c) {
    vector<string> cells;
    for (auto& row : rows) cells.push_back(row[c]);
    auto number = [](const string& s) {
        string digits = !s.empty() && s[0] == '-' ? s.substr(1) : s;
        return !digits.empty() && all_of(digits.begin(), digits.end(), [](char d) { return '0' <= d && d <= '9'; });
    };
    bool right = all_of(cells.begin(), cells.end(), number);
    auto longest = max_element(cells.begin(), cells.end(), [](auto& a, auto& b) { return a.size() < b.size(); });
    size_t width = longest->size();
    for (string& cell : cells)
        while (cell.size() < width) cell.insert(right ? 0 : cell.size(), 1, ' ');
    return cells;
}

vector<string> drawTable(vector<vector<string>> rows) {
    if (rows.empty()) return {};
    vector<string> lines = column(rows, 0);
    for (size_t c = 1; c < rows[0].size(); c++) {
        vector<string> next = column(rows, c);
        for (size_t r = 0; r < lines.size(); r++) lines[r] += " | " + next[r];
    }
    for (string& line : lines) {
        size_t end = line.size();
        while (end > 0 && line[end - 1] == ' ') end--;
        line.erase(end);
    }
    return lines;
}
