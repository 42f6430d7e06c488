static vector<string> pieces(const string& text, char mark) {
    vector<string> parts;
    size_t from = 0;
    for (size_t at = 0; at <= text.size(); at++) {
        if (at < text.size() && text[at] != mark) continue;
        parts.push_back(text.substr(from, at - from));
        from = at + 1;
    }
    return parts;
}

static int bounded(const string& digits, int most) {
    if (digits.empty() || digits.size() > 3 || (digits[0] == '0' && digits.size() > 1)) return -1;
    int value = 0;
    for (char c : digits) {
        if (c < '0' || c > '9') return -1;
        value = 10 * value + (c - '0');
    }
    return value > most ? -1 : value;
}

static vector<int> octets(const string& text) {
    vector<int> values;
    for (const string& part : pieces(text, '.')) values.push_back(bounded(part, 255));
    bool good = values.size() == 4 && count(values.begin(), values.end(), -1) == 0;
    return good ? values : vector<int>();
}

bool contains(string address, string network) {
    vector<string> halves = pieces(network, '/');
    if (halves.size() != 2) return false;
    vector<int> host = octets(address), net = octets(halves[0]);
    int left = bounded(halves[1], 32);
    if (host.empty() || net.empty() || left < 0) return false;
    for (int i = 0; i < 4; i++, left -= 8) {
        int unit = left >= 8 ? 1 : left <= 0 ? 256 : 256 >> left;
        if (host[i] / unit != net[i] / unit) return false;
    }
    return true;
}
