std::vector<std::string> topWords(const std::vector<std::string>& words, int k) {
    std::map<std::string, int> counts;
    for (const auto& word : words) ++counts[word];
    // Negative counts make the natural order of pairs the wanted one.
    std::vector<std::pair<int, std::string>> ranked;
    for (const auto& [word, count] : counts) ranked.emplace_back(-count, word);
    std::sort(ranked.begin(), ranked.end());

    std::vector<std::string> top;
    for (size_t i = 0; k > 0 && i < ranked.size(); ++i) {
        if (i >= static_cast<size_t>(k) && ranked[i].first != ranked[k].first) break;
        top.push_back(ranked[i].second);
    }
    return top;
}
