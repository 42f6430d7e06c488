static std::string spread(const std::vector<std::string>& row, int spaces) {
    std::string line = row[0];
    const int gaps = static_cast<int>(row.size()) - 1;
    for (int i = 0; i < gaps; ++i) {
        const int wide = spaces / gaps + (i < spaces % gaps ? 1 : 0);
        line += std::string(wide, ' ') + row[i + 1];
    }
    return line;
}

std::vector<std::string> justify(const std::string& text, int width) {
    std::istringstream in(text);
    std::vector<std::string> lines, row;
    std::string word;
    int letters = 0;
    while (in >> word) {
        if (!row.empty() && letters + static_cast<int>(row.size() + word.size()) > width) {
            lines.push_back(spread(row, width - letters));
            row.clear();
            letters = 0;
        }
        row.push_back(word);
        letters += static_cast<int>(word.size());
    }
    if (!row.empty()) lines.push_back(spread(row, static_cast<int>(row.size()) - 1));
    return lines;
}
