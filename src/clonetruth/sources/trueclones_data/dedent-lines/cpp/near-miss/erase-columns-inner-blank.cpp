static bool isBlank(const std::string& s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return c == ' '; });
}

// Takes away one column after the other, as long as it is empty in all lines with text.
std::vector<std::string> strip_margin(std::vector<std::string> lines) {
    while (!lines.empty() && isBlank(lines.front())) lines.erase(lines.begin());
    while (!lines.empty() && isBlank(lines.back())) lines.pop_back();
    for (std::string& line : lines) {
        if (isBlank(line) && line.size() <= 6) line.clear();
    }
    for (;;) {
        for (const std::string& line : lines) {
            if (!line.empty() && line[0] != ' ') return lines;
        }
        if (lines.empty()) return lines;
        for (std::string& line : lines) line.erase(0, 1);
    }
}
