std::string joinedGroups(int number, const std::string& sep) {
    std::string digits = std::to_string(number);
    std::string sign;
    if (digits[0] == '-') {
        sign = "-";
        digits = digits.substr(1);
    }
    // the first group has what is left over
    size_t size = digits.size() % 3;
    std::string text = digits.substr(0, size);
    for (size_t at = size; at < digits.size(); at += 3) {
        if (at > 0) text += sep;
        text += digits.substr(at, 3);
    }
    return sign + text;
}
