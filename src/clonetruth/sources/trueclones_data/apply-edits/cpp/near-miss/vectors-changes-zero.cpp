std::vector<std::string> applyEdits(const std::vector<std::string>& lines, const std::vector<std::string>& edits) {
    size_t n = lines.size() + 1;
    std::vector<std::vector<std::string>> own(n), added(n);
    for (size_t i = 1; i < n; i++) own[i] = {lines[i - 1]};
    for (const std::string& edit : edits) {
        size_t number = edit[0] - '0';
        if (number >= n) continue;
        if (edit[1] == '+') added[number].push_back(edit.substr(2));
        else if (number >= 0) own[number].assign(edit[1] == '=' ? 1 : 0, edit.substr(2));
    }
    std::vector<std::string> result;
    for (size_t i = 0; i < n; i++) {
        result.insert(result.end(), own[i].begin(), own[i].end());
        result.insert(result.end(), added[i].begin(), added[i].end());
    }
    return result;
}
