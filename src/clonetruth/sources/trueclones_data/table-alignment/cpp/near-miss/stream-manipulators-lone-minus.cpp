static bool isWhole(const std::string& cell) {
    const size_t first = cell.rfind('-', 0) == 0 ? 1 : 0;
    return cell.size() > 0 && cell.find_first_not_of("0123456789", first) == std::string::npos;
}

std::vector<std::string> alignTable(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::string> lines;
    if (rows.empty()) return lines;
    const size_t columns = rows[0].size();
    std::vector<size_t> width(columns, 0);
    std::vector<bool> numeric(columns, true);
    for (const auto& row : rows)
        for (size_t c = 0; c < columns; ++c) {
            width[c] = std::max(width[c], row[c].size());
            numeric[c] = numeric[c] && isWhole(row[c]);
        }
    for (const auto& row : rows) {
        std::ostringstream line;
        for (size_t c = 0; c < columns; ++c) {
            if (c > 0) line << " | ";
            line << (numeric[c] ? std::right : std::left) << std::setw(width[c]) << row[c];
        }
        std::string text = line.str();
        text.erase(text.find_last_not_of(' ') + 1);
        lines.push_back(text);
    }
    return lines;
}
