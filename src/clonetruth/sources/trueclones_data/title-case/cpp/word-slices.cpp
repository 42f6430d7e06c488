std::string titleCase(std::string text) {
    static const char* const small[] = {"a", "an", "and", "of", "or", "the", "to"};
    for (char& c : text) c = std::tolower(c);
    // Words as pairs of positions; empty ones are not listed.
    std::vector<std::pair<size_t, size_t>> words;
    size_t begin = text.find_first_not_of(" -");
    while (begin != std::string::npos) {
        const size_t end = std::min(text.find_first_of(" -", begin), text.size());
        words.emplace_back(begin, end - begin);
        begin = text.find_first_not_of(" -", end);
    }
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string word = text.substr(words[i].first, words[i].second);
        const bool outer = i == 0 || i + 1 == words.size();
        const bool isSmall = std::find(std::begin(small), std::end(small), word) != std::end(small);
        if (outer || !isSmall) text[words[i].first] = std::toupper(text[words[i].first]);
    }
    return text;
}
