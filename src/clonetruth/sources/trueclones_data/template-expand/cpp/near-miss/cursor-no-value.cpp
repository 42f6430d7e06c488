std::string expand(const std::string& text, const std::vector<std::string>& names,
                   const std::vector<std::string>& values) {
    std::string out;
    size_t at = 0;
    while (at < text.size()) {
        const std::string two = text.substr(at, 2);
        if (two == "{{" || two == "}}") {
            out += two[0];
            at += 2;
            continue;
        }
        if (text[at] == '{') {
            size_t end = at + 1;
            while (end < text.size() && std::islower(text[end])) ++end;
            if (end > at + 1 && end < text.size() && text[end] == '}') {
                const std::string name = text.substr(at + 1, end - at - 1);
                const size_t index = std::find(names.begin(), names.end(), name) - names.begin();
                const bool known = index < names.size();
                out += known ? (index < values.size() ? values[index] : "") : text.substr(at, end + 1 - at);
                at = end + 1;
                continue;
            }
        }
        out += text[at++];
    }
    return out;
}
