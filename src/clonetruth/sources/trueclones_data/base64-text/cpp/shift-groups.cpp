std::string encode(const std::vector<int>& data, bool forUrl) {
    std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    alphabet += forUrl ? "-_" : "+/";
    std::string text;
    for (size_t i = 0; i < data.size(); i += 3) {
        int n = std::min<int>(3, data.size() - i), whole = 0;
        for (int k = 0; k < 3; k++) whole = whole << 8 | (k < n ? data[i + k] : 0);
        for (int k = 0; k < 4; k++) {
            if (k <= n) text += alphabet[whole >> (18 - 6 * k) & 63];
            else if (!forUrl) text += '=';
        }
    }
    return text;
}
