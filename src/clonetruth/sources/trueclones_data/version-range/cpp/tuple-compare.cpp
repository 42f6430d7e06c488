static std::array<int, 3> parse(const std::string& text) {
    std::array<int, 3> v{};
    sscanf(text.c_str(), "%d.%d.%d", &v[0], &v[1], &v[2]);
    return v;
}

static bool holds(const std::array<int, 3>& have, const std::string& condition) {
    size_t digits = condition.find_first_of("0123456789");
    std::string sign = condition.substr(0, digits);
    auto want = parse(condition.substr(digits));
    if (sign.empty()) return have == want;
    if (sign == "<") return have < want;
    if (sign == ">=") return have >= want;
    int same = 2;
    if (sign == "^") for (same = 1; same < 3 && want[same - 1] == 0;) same++;
    return have >= want && std::equal(have.begin(), have.begin() + same, want.begin());
}

bool satisfies(const std::string& version, const std::string& range) {
    auto have = parse(version);
    size_t bars = range.find("||"), space = range.find(' ');
    if (bars != std::string::npos) return holds(have, range.substr(0, bars)) || holds(have, range.substr(bars + 2));
    if (space != std::string::npos) return holds(have, range.substr(0, space)) && holds(have, range.substr(space + 1));
    return holds(have, range);
}
