static std::vector<std::string> splitAt(const std::string& text, char dot) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == dot) parts.emplace_back();
        else parts.back() += c;
    }
    return parts;
}

static bool allDigits(const std::string& s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

static bool plainNumber(const std::string& s) {
    return allDigits(s) && (s.size() == 1 || s[0] != '0');
}

struct Version {
    std::vector<int> core;
    std::vector<std::string> pre;
};

static std::optional<Version> readVersion(std::string text) {
    Version v;
    const size_t plus = text.find('+');
    if (plus != std::string::npos) {
        for (const auto& id : splitAt(text.substr(plus + 1), '.'))
            if (id.empty() || id.find('+') != std::string::npos) return std::nullopt;
        text.erase(plus);
    }
    const size_t hyphen = text.find('-');
    if (hyphen != std::string::npos) {
        v.pre = splitAt(text.substr(hyphen + 1), '.');
        for (const auto& id : v.pre)
            if (id.empty() || (allDigits(id) && !plainNumber(id))) return std::nullopt;
        text.erase(hyphen);
    }
    const auto numbers = splitAt(text, '.');
    if (numbers.size() != 3) return std::nullopt;
    for (const auto& n : numbers) {
        if (!plainNumber(n)) return std::nullopt;
        v.core.push_back(std::stoi(n));
    }
    return v;
}

static int order(bool less, bool greater) {
    return greater - less;
}

int compareVersions(const std::string& left, const std::string& right) {
    const auto a = readVersion(left), b = readVersion(right);
    if (!a || !b) return -2;
    if (a->core != b->core) return order(a->core < b->core, a->core > b->core);
    if (a->pre.empty() || b->pre.empty()) return order(b->pre.empty() && !a->pre.empty(), !b->pre.empty());
    for (size_t i = 0; i < a->pre.size() && i < b->pre.size(); ++i) {
        const std::string &x = a->pre[i], &y = b->pre[i];
        if (x == y) continue;
        if (allDigits(x) != allDigits(y)) return allDigits(x) ? -1 : 1;
        return x < y ? -1 : 1;
    }
    return order(a->pre.size() < b->pre.size(), a->pre.size() > b->pre.size());
}
