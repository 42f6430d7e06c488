static bool startsWord(const std::string& s, std::size_t i) {
    if (i <= 1 || !isupper(s[i])) return false;
    if (!isupper(s[i - 1])) return true;
    return i + 1 < s.size() && islower(s[i + 1]);
}

std::string snakeCase(const std::string& s) {
    std::string out;
    bool gap = false;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (!isalnum(s[i])) {
            gap = true;
            continue;
        }
        if ((gap || startsWord(s, i)) && !out.empty()) out += '_';
        gap = false;
        out += static_cast<char>(tolower(s[i]));
    }
    return out;
}
