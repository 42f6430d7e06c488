static int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 9;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::vector<int> decode(const std::string& text) {
    std::string s;
    for (char c : text) {
        if (c == '\n') s.erase(s.find_last_not_of(' ') + 1);
        s += c;
    }
    s.erase(s.find_last_not_of(' ') + 1);
    std::vector<int> out;
    for (size_t i = 0; i < s.size(); i++) {
        if (s[i] == '=' && i + 1 < s.size() && s[i + 1] == '\n') {
            i++;
        } else if (s[i] == '=' && i + 2 < s.size() && hexDigit(s[i + 1]) >= 0 && hexDigit(s[i + 2]) >= 0) {
            out.push_back(hexDigit(s[i + 1]) * 16 + hexDigit(s[i + 2]));
            i += 2;
        } else {
            out.push_back(s[i]);
        }
    }
    return out;
}
