std::vector<int> diffStat(const std::vector<std::string>& oldLines, const std::vector<std::string>& newLines) {
    size_t i = oldLines.size(), j = newLines.size();
    std::vector<std::vector<int>> lcs(i + 1, std::vector<int>(j + 1, 0));
    for (size_t r = 1; r <= i; ++r)
        for (size_t c = 1; c <= j; ++c)
            if (oldLines[r - 1] == newLines[c - 1])
                lcs[r][c] = lcs[r - 1][c - 1] + 1;
            else
                lcs[r][c] = std::max(lcs[r - 1][c], lcs[r][c - 1]);

    // Read the edit script from its end.
    std::vector<int> counts{0, 0, 0};
    while (i > 0 && j > 0) {
        if (lcs[i][j] == lcs[i - 1][j]) {
            ++counts[1];
            --i;
        } else if (lcs[i][j] == lcs[i][j - 1]) {
            ++counts[2];
            --j;
        } else {
            ++counts[0];
            --i, --j;
        }
    }
    counts[1] += i;
    counts[2] += j;
    return counts;
}
