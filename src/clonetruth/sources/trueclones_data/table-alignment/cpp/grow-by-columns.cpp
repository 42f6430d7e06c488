bool number(const string &s) {
    size_t i = 0;
    if (i < s.size() && s[i] == '-') i++;
    if (i == s.size()) return false;
    while (i < s.size() && s[i] >= '0' && s[i] <= '9') i++;
    return i == s.size();
}

vector<string> format(vector<vector<string>> rows) {
    vector<string> lines(rows.size());
    for (size_t c = 0; !rows.empty() && c < rows[0].size(); c++) {
        size_t widest = 0, numbers = 0;
        for (auto &row : rows) {
            if (row[c].length() > widest) widest = row[c].length();
            numbers += number(row[c]);
        }
        for (size_t r = 0; r < rows.size(); r++) {
            string cell = rows[r][c];
            string gap(widest - cell.length(), ' ');
            if (c) lines[r] += " | ";
            lines[r] += numbers == rows.size() ? gap + cell : cell + gap;
        }
    }
    for (auto &line : lines)
        while (!line.empty() && line.back() == ' ') line.pop_back();
    return lines;
}
