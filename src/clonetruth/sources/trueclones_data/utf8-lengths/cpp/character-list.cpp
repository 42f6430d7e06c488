static std::vector<std::string> characters(const std::string& text) {
    std::vector<std::string> all;
    for (char c : text) {
        if ((c & 0xC0) != 0x80) all.emplace_back();
        all.back() += c;
    }
    return all;
}

std::string head(std::string text, int limit) {
    std::string result;
    for (const std::string& character : characters(text)) {
        limit -= character.size();
        if (limit < 0) return result;
        result += character;
    }
    return result;
}
