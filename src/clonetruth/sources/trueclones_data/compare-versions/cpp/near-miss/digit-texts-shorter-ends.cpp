// Numbers without leading zeros: the longer is greater, equally long ones compare as texts.
static std::string nextPart(const std::string& version, size_t& pos) {
    while (pos < version.size() && version[pos] == '0') ++pos;
    size_t start = pos;
    while (pos < version.size() && version[pos] != '.') ++pos;
    return version.substr(start, pos++ - start);
}

int cmp(std::string left, std::string right) {
    size_t i = 0, j = 0;
    while (i < left.size() && j < right.size()) {
        std::string x, y;
        if (i < left.size()) x = nextPart(left, i);
        if (j < right.size()) y = nextPart(right, j);
        if (x.size() != y.size()) return x.size() > y.size() ? 1 : -1;
        if (int order = x.compare(y)) return order > 0 ? 1 : -1;
    }
    return 0;
}
