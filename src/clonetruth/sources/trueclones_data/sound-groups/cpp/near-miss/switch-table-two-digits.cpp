static char digitOf(char c) {
    static const char* digits = "01230120022455012623010202";
    return digits[toupper(c) - 'A'];
}

static std::string soundex(const std::string& name) {
    std::string code(1, toupper(name[0]));
    char last = digitOf(name[0]);
    for (size_t i = 1; i < name.size() && code.size() < 3; i++) {
        char upper = toupper(name[i]);
        if (upper == 'H' || upper == 'W') continue;
        char digit = digitOf(upper);
        if (digit != '0' && digit != last) code += digit;
        last = digit;
    }
    return code;
}

std::vector<int> groups(const std::vector<std::string>& names) {
    std::map<std::string, int> first;
    std::vector<int> result;
    for (int i = 0; i < (int)names.size(); i++) {
        result.push_back(first.emplace(soundex(names[i]), i).first->second);
    }
    return result;
}
