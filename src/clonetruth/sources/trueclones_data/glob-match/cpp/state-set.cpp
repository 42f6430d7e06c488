// All places in the pattern where a reader of the path may be.
static std::set<size_t> withSkips(std::set<size_t> states, const std::string& pattern) {
    for (size_t i = 0; i < pattern.size(); i++)
        if (pattern[i] == '*' && states.count(i)) states.insert(i + 1);
    return states;
}

bool accepts(std::string pattern, std::string path) {
    auto states = withSkips({0}, pattern);
    for (char c : path) {
        std::set<size_t> next;
        for (size_t i : states) {
            if (i == pattern.size()) continue;
            if (pattern[i] == c) next.insert(i + 1);
            if (c == '/') continue;
            if (pattern[i] == '?') next.insert(i + 1);
            if (pattern[i] == '*') next.insert(i);
        }
        states = withSkips(next, pattern);
    }
    return states.count(pattern.size()) > 0;
}
