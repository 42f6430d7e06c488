static std::string hex(unsigned value, int digits) {
    std::string text(digits, '0');
    while (digits-- > 0) {
        text[digits] = "0123456789abcdef"[value % 16];
        value /= 16;
    }
    return text;
}

// Both halves of a line grow with every byte, and are joined when the line is full or the data end.
std::vector<std::string> dump(std::vector<int> bytes, int perLine) {
    std::vector<std::string> result;
    std::string left, right;
    for (size_t i = 0; i < bytes.size(); i++) {
        if (i % perLine == 0) {
            left = hex(i, 4) + ":";
            right.clear();
        }
        left += " " + hex(bytes[i], 2);
        right.push_back(isprint(bytes[i]) ? bytes[i] : '.');
        if ((i + 1) % perLine == 0 || i + 1 == bytes.size()) result.push_back(left + "  " + right);
    }
    return result;
}
