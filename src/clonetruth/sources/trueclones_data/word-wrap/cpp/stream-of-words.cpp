std::vector<std::string> wrap(const std::string& text, int width) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        if (!lines.empty() && lines.back().size() + 1 + word.size() <= static_cast<size_t>(width))
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}
