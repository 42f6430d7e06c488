static bool same(const char* p, const char* t) {
    switch (*p) {
        case '\0':
            return *t == '\0';
        case '*':
            if (same(p + 1, t)) return true;
            return *t && *t != '/' && same(p, t + 1);
        case '?':
            return *t && *t != '/' && same(p + 1, t + 1);
        default:
            return *p == *t && same(p + 1, t + 1);
    }
}

bool matchGlob(const std::string& pattern, const std::string& path) {
    return same(pattern.c_str(), path.c_str());
}
